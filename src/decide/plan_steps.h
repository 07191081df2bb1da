// The planner's core, without what only people read: no sentences, no numbers. The proof runs it for each way
// back.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

Result<std::vector<Step>> steps_to(const HostState& state, const Policy& policy, const Target& target,
                                   const std::string& cutover);

}  // namespace interlock::decide
