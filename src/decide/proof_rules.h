// What must hold before a step may be taken: the order that is a law (design, sections 1 and 6), told without
// looking at how the planner makes it.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

/// Nothing: the step may be taken from here. `seen_free`: cards seen free since nobody who runs binds them.
std::optional<std::string> against_the_law(const HostState& state, const Policy& policy, const Target& target,
                                           const Step& step, const std::set<PciAddress>& seen_free);

}  // namespace interlock::decide
