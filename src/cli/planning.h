// A cutover planned and proven, before anything is touched: what `plan`, `cutover --dry-run` and the question
// before a cutover show.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "model/finding.h"
#include "model/plan.h"

namespace interlock::cli {

struct Planned {
  HostState state;
  Policy policy;
  Plan plan;  // empty where the target already holds, or where there is none
  Proof proof;
  std::vector<Unmet> unmet;  // "no-plan" among them where there is none
};

/// Exit 2, with the names that there are, when the policy has no such cutover.
std::optional<Outcome> unknown_cutover(const Policy& policy, const std::string& name);

Or<Planned> plan_cutover(Context& context, const Policy& policy, const std::string& name, bool without_guard);

Outcome shown_plan(const Planned& planned, const Style& style);

}  // namespace interlock::cli
