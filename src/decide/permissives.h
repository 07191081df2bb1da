// The conditions that must hold before a cutover may begin (design, section 6), all checked, all reported.
#pragma once

#include <vector>

#include "model/finding.h"
#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

struct Allowed {
  bool without_guard = false;
  bool open_cutover = false;  // the way back of an interrupted one
};

std::vector<Unmet> unmet(const HostState& state, const Policy& policy, const Target& target, const Allowed& allowed);

}  // namespace interlock::decide
