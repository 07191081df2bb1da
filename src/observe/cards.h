// The policy's cards as they are in the machine now.
#pragma once

#include <string>
#include <vector>

#include "host/host.h"
#include "model/host_state.h"
#include "observe/card_nodes.h"
#include "policy/policy.h"

namespace interlock::observe {

/// All of a Card but its holders. `sample`: read its sensors too, each card within kSampleDeadline.
/// What could not be told goes to `cannot_tell`, one sentence each.
Card look_at_card(Host& host, const CardNodes& nodes, const PolicyCard& declared, bool sample,
                  std::vector<std::string>& cannot_tell);

}  // namespace interlock::observe
