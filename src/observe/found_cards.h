// Every card of the machine, without a policy that names them.
#pragma once

#include "base/result.h"
#include "host/host.h"
#include "model/found_card.h"

namespace interlock::observe {

/// Reads nothing that touches the hardware (amdgpu.md 1.8). No PCI at all: no cards. An error: the devices
/// cannot be listed.
Result<FoundCards> find_cards(Host& host);

}  // namespace interlock::observe
