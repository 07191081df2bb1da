// The model that a plan is walked over: what a step makes of a state when it does what it says.
#pragma once

#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

/// after_step() in place.
void apply(HostState& state, const Policy& policy, const Step& step);

/// `booted` with those containers down that the gate would have refused: the ledger holds or gives away a
/// card of theirs. A boot can end either way.
HostState with_gate(HostState booted, const Policy& policy);

/// What of the state a walk needs: the containers that are named, or could have one of the policy's cards.
HostState lean(const HostState& state, const Policy& policy, const Target& target);

}  // namespace interlock::decide
