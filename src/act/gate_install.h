// Hanging the start gate into every place that observe/gate_places.h names, and taking it out again.
#pragma once

#include "base/result.h"
#include "host/host.h"

namespace interlock::act {

/// Writes what is missing or different, and lets systemd read it.
Result<void> install_gate(Host& host);
Result<void> remove_gate(Host& host);

}  // namespace interlock::act
