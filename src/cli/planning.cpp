#include "cli/planning.h"

#include <fmt/format.h>

#include "act/permission.h"
#include "act/undertaking.h"
#include "base/text.h"
#include "cli/render.h"
#include "decide/plan.h"
#include "decide/proof.h"

namespace interlock::cli {

std::optional<Outcome> unknown_cutover(const Policy& policy, const std::string& name) {
  if (policy.cutovers.contains(name)) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [known, cutover] : policy.cutovers) names.push_back(known);
  return failed(exits::kUsage,
                fmt::format("{} is neither a command nor a cutover of {}, which has {}; gpu-interlock --help "
                            "lists the commands",
                            printable(name), policy.file, names.empty() ? "none" : joined(names, ", ")));
}

Or<Planned> plan_cutover(Context& context, const Policy& policy, const std::string& name,
                         bool without_guard) {
  if (auto outcome = unknown_cutover(policy, name)) return std::unexpected(*outcome);
  if (auto why = act::no_pct(context.host)) return std::unexpected(failed(exits::kUnreadable, *why));
  auto state = look(context, policy);
  if (!state) return std::unexpected(state.error());

  const Cutover& cutover = policy.cutovers.at(name);
  const Target target = cutover.target();
  act::Run asking(context.host, policy, name);
  asking.cutover = &cutover;
  Planned planned{.state = *std::move(state), .policy = policy, .plan = {}, .proof = {}, .unmet = {}};
  planned.unmet =
      act::all_unmet(asking, planned.state, target, {.without_guard = without_guard, .open_cutover = false});
  auto plan = decide::plan(planned.state, policy, target, name);
  if (plan) {
    planned.plan = *std::move(plan);
    planned.proof = decide::prove(planned.state, policy, planned.plan);
  } else {
    planned.plan.target = target;
    planned.unmet.push_back(
        {"no-plan", name, plan.error().message, "change the host, or the cutover's target"});
  }
  return planned;
}

Outcome shown_plan(const Planned& planned, const Style& style) {
  Outcome outcome;
  outcome.json = plan_json(planned);
  outcome.text = plan_text(planned, style);
  return outcome;
}

}  // namespace interlock::cli
