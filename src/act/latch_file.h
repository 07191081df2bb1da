// One latch file a card: it survives the daemon and the boot. There and not understood: latched, and it says
// so.
#pragma once

#include <optional>

#include "base/result.h"
#include "host/host.h"
#include "model/host_state.h"

namespace interlock::act {

Result<void> set_latch(Host& host, const PciAddress& card, const Latch& latch);
Result<void> clear_latch(Host& host, const PciAddress& card);
/// Nothing: no latch. One that cannot be read is a damaged latch.
std::optional<Latch> read_latch(Host& host, const PciAddress& card);

}  // namespace interlock::act
