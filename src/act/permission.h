// Whether a cutover may go forward: every condition, and a plan with a proof.
#pragma once

#include <vector>

#include "act/cutover.h"
#include "act/run.h"
#include "decide/permissives.h"
#include "model/host_state.h"

namespace interlock::act {

/// The permissives that a look shows, and those that only a running container can answer.
std::vector<Unmet> all_unmet(Run& run, const HostState& state, const Target& target,
                             const decide::Allowed& allowed);

/// A plan that is proven, or what stands against it.
std::expected<Plan, Unmet> proven_plan(const Run& run, const HostState& state, const Target& target);

CutoverReport refused(std::vector<Unmet> unmet);

}  // namespace interlock::act
