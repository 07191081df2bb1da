// The containers and services of a watchdog's map, held against the host. Pure.
#pragma once

#include "decide/sketch_host.h"
#include "policy/watchdog.h"

namespace interlock::decide {

/// Fills `drawn.sketch.containers`, whose cards are in it already. `state`: none, and the map is taken at its
/// word.
void import_containers(const Watchdog& watchdog, const HostState* state, Sketched& drawn);

}  // namespace interlock::decide
