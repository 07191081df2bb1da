// From (state now, target) to steps, in the order that is a law (design, section 6). Pure. Rollback and recovery are
// this same planner, aimed at the state where the cutover began.
#pragma once

#include "base/result.h"
#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

/// A target that holds already gives an empty plan. An impossible one is an error that says why.
/// `cutover` is the id that takes the cards in the ledger.
Result<Plan> plan(const HostState& state, const Policy& policy, const Target& target, const std::string& cutover);

/// The wish to be again where `state` is, for those containers that `target` names.
Target way_back(const HostState& state, const Policy& policy, const Target& target);

/// What the target says and the state does not show, one sentence each; empty: it holds.
std::vector<std::string> differences(const HostState& state, const Policy& policy, const Target& target);

}  // namespace interlock::decide
