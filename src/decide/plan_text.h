// A step as one sentence for a person.
#pragma once

#include <string>

#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

/// `state` is where the plan begins: it says what changes from what.
std::string step_text(const HostState& state, const Policy& policy, const Target& target, const Step& step);

/// "gpu1 and gpu2", "no card"
std::string card_list(const Policy& policy, const std::vector<PciAddress>& cards);

}  // namespace interlock::decide
