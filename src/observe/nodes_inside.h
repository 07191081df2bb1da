// The cards whose nodes a running container has in its /dev. What it was started with stays there until it
// stops, whatever its configuration says by then (pct.md, 6 J).
#pragma once

#include <set>

#include "host/host.h"
#include "model/identity.h"
#include "observe/card_nodes.h"

namespace interlock::observe {

/// As its init sees them; none where it does not run. An error: that could not be looked at.
Result<std::set<PciAddress>> cards_inside(Host& host, const CardNodes& nodes, Vmid vmid);

}  // namespace interlock::observe
