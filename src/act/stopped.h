// Whether a container is stopped for good: no socket, no process, and no hook of Proxmox that would still
// write its configuration (pct.md, sections 2 and 5.6).
#pragma once

#include "act/run.h"

namespace interlock::act {

Seen seen_stopped(Host& host, Vmid vmid);

/// The same, waited for: a stop ends with hooks.
Outcome stays_stopped(Host& host, Vmid vmid);

}  // namespace interlock::act
