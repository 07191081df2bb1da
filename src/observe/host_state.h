// One look at the whole host: Host -> HostState. Reads, and asks running containers about their units;
// changes nothing.
#pragma once

#include "base/result.h"
#include "host/host.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::observe {

struct LookFor {
  bool units = true;        // ask running declared containers about their units (pct exec)
  bool all_holders = true;  // scan all of /proc, not only the cgroups of containers that bind a card
  bool samples = true;      // read the sensors, apart: a card that hangs is unreadable, and holds nothing up
  bool second_opinion = false;  // with `samples`: by libsensors too, for the audit
};

/// An error only when nothing can be decided at all (exit 7): no container folder, no boot id. What else
/// could not be seen is in the state: unknown, with a sentence in cannot_tell.
Result<HostState> look(Host& host, const Policy& policy, const LookFor& wanted = {});

/// The same for one container only, freshly: its configuration, whether it runs and, if asked, its units.
/// What it could not be told about running or high availability is in the container as unknown. An error:
/// no configuration (is_missing()), or none to be read.
Result<Container> look_at_container(Host& host, const Policy& policy, Vmid vmid, bool units);

/// Proxmox's own command is there: without it no unit can be asked, and nothing can be changed.
Result<void> pct_present(Host& host);

}  // namespace interlock::observe
