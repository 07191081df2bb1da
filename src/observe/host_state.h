// One look at the whole host: Host -> HostState. Reads, and asks running containers about their units;
// changes nothing.
#pragma once

#include <set>

#include "base/result.h"
#include "host/host.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::observe {

struct LookFor {
  bool units = true;        // ask running declared containers about their units (pct exec)
  bool all_holders = true;  // scan all of /proc, not only the cgroups of containers that bind a card
  bool samples = true;      // read the sensors
};

/// An error only when nothing can be decided at all (exit 7): no container folder, no boot id. What else
/// could not be seen is in the state: unknown, with a sentence in cannot_tell.
Result<HostState> look(Host& host, const Policy& policy, const LookFor& wanted = {});

/// The same for one container only, freshly: its configuration, whether it runs and, if asked, its units.
Result<Container> look_at_container(Host& host, const Policy& policy, Vmid vmid, bool units);

}  // namespace interlock::observe
