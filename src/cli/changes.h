// What a cutover changes, told as before and after. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::cli {

struct Change {
  std::string subject;  // "card gpu2", "container 123", "unit 120/llamacpp.service"
  std::string what;     // "memory"; empty where the subject says it all
  std::string from;
  std::string to;
  bool operator==(const Change&) const = default;
};

/// Cards first, then containers, then units; only what changes.
std::vector<Change> changes(const HostState& state, const Policy& policy, const Plan& plan);

}  // namespace interlock::cli
