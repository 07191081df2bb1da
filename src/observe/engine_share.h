// How busy each holder keeps its card: only two looks can tell (kernel:
// Documentation/gpu/drm-usage-stats.rst).
#pragma once

#include <vector>

#include "host/host.h"
#include "model/host_state.h"
#include "observe/card_nodes.h"

namespace interlock::observe {

/// Looks at the cards' holders twice, `between` apart, and sets engine_percent of those whose engine time is
/// told. KFD's work is counted by no fdinfo, so theirs stays unknown. Without such a holder it does not wait.
void measure_engines(Host& host, const CardNodes& nodes, std::vector<Card>& cards, Duration between);

}  // namespace interlock::observe
