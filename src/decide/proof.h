// A plan walked over the model (design, section 6): in each state on the way, and after a power cut in it, the
// invariants hold, and a safe way back to the beginning exists.
#pragma once

#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

/// The state that a step makes of another when it does what it says.
HostState after_step(const HostState& state, const Policy& policy, const Step& step);

Proof prove(const HostState& beginning, const Policy& policy, const Plan& plan);

}  // namespace interlock::decide
