#include <algorithm>

#include "act/undertaking.h"
#include "cli/commands.h"
#include "cli/render.h"
#include "decide/findings.h"

namespace interlock::cli {
namespace {

Outcome audit(Context& context) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  const auto state = look(context, *policy, {.second_opinion = true});
  if (!state) return state.error();
  const Audit found = decide::audit(*state, *policy);

  Outcome outcome;
  outcome.json = audit_json(found);
  outcome.text = audit_text(found, context.style);
  const bool violated =
      std::ranges::find(found.findings, Severity::violation, &Finding::severity) != found.findings.end();
  outcome.exit = violated || !found.unknown.empty() ? exits::kProblems : exits::kDone;
  if (auto why = act::no_pct(context.host)) {
    outcome.exit = exits::kUnreadable;
    outcome.failures.push_back({*std::move(why)});
  }
  return outcome;
}

}  // namespace

void add_audit(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("audit", "Every rule that is broken, now or at the host's next boot");
  at_length(
      *command,
      "Each finding has a stable code, a severity and what to do about it: a violation breaks a rule now or "
      "at the next boot, or leaves a card in use unguarded; a warning may come to that; an advice is worth "
      "knowing. What the audit cannot see it says (cannot tell), and is not clean then. "
      "`gpu-interlock explain CODE` has a page about each.");
  command->callback([&action] { action = audit; });
}

}  // namespace interlock::cli
