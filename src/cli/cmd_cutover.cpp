#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "act/undertaking.h"
#include "cli/commands.h"
#include "cli/cutover_outcome.h"
#include "cli/follow.h"
#include "cli/planning.h"

namespace interlock::cli {
namespace {

struct CutoverCall {
  std::string name;
  bool yes = false;
  bool dry_run = false;
  bool foreground = false;
  bool progress = false;
  bool without_guard = false;
  std::string on_failure = "rollback";
};

/// What the unit is to be given of this call.
std::vector<std::string> unit_options(const CutoverCall& call) {
  std::vector<std::string> options = {"--on-failure", call.on_failure};
  if (call.without_guard) options.push_back("--without-guard");
  return options;
}

/// Nothing: go on.
std::optional<Outcome> not_agreed(Context& context, const Policy& policy, const CutoverCall& call) {
  if (call.yes) return std::nullopt;
  if (!context.interactive) {
    return failed(
        exits::kUsage,
        fmt::format("{} was not begun: there is no terminal to ask on. Give --yes to run it unasked",
                    call.name));
  }
  const auto planned = plan_cutover(context, policy, call.name, call.without_guard);
  if (!planned) return planned.error();
  if (!planned->unmet.empty()) return std::nullopt;  // it will be refused, and say so
  const Outcome shown = shown_plan(*planned, context.style);
  if (planned->plan.empty()) return shown;
  *context.out << shown.text << '\n';
  if (context.confirm(fmt::format("Run {} now?", call.name))) return std::nullopt;
  return failed(exits::kRefused, "the plan was not agreed to; nothing was touched");
}

Outcome cut_over(Context& context, const CutoverCall& call) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  if (auto unknown = unknown_cutover(*policy, call.name)) return *unknown;
  if (call.dry_run) {
    const auto planned = plan_cutover(context, *policy, call.name, call.without_guard);
    return planned ? shown_plan(*planned, context.style) : planned.error();
  }
  if (auto why = act::no_pct(context.host)) return failed(exits::kUnreadable, *why);
  if (auto outcome = not_agreed(context, *policy, call)) return *outcome;

  if (!call.foreground && !context.host.rooted())
    return run_and_follow(context, call.name, unit_options(call));
  if (call.progress && !context.globals.json) context.live = true;
  act::CutoverOptions options;
  options.without_guard = call.without_guard;
  options.on_failure = call.on_failure == "hold" ? act::OnFailure::hold : act::OnFailure::rollback;
  if (context.heed_signals) options.told_to_stop = context.heed_signals();
  const auto report = act::cut_over(context.host, *policy, call.name, options, live_progress(context));
  return outcome_of(report, call.name, context);
}

}  // namespace

void add_cutover(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "cutover", "Move cards to the state that a cutover of the policy names, all or nothing");
  const auto call = std::make_shared<CutoverCall>();
  command->add_option("NAME", call->name, "A cutover of the policy")->required();
  command->add_flag("--yes", call->yes, "Do not ask");
  command->add_flag("--dry-run", call->dry_run, "Only show the plan, as `plan` does");
  command->add_flag("--foreground", call->foreground, "Run it in this process, not as a service of the host");
  command->add_flag("--progress", call->progress, "Tell each step as it goes, also without a terminal");
  command->add_flag("--without-guard", call->without_guard, "Also when no guard watches the cards");
  command
      ->add_option("--on-failure", call->on_failure,
                   "When a step fails: rollback (the default) or hold where it is safe")
      ->type_name("rollback|hold")
      ->check(CLI::IsMember({"rollback", "hold"}).description(""));
  at_length(
      *command,
      "On a terminal it shows the plan and asks; elsewhere it needs --yes. On a real host it runs as the "
      "unit "
      "gpu-interlock-cutover@NAME.service and is followed, so that a dropped connection does not end it.\n\n"
      "Every condition is checked first, and all that do not hold are told together; nothing is touched "
      "then. "
      "When a step fails, everything goes back to where it began, or with --on-failure hold stays where "
      "nothing "
      "is unsafe. So it does when it is told to end, by SIGTERM (which `systemctl stop` sends to the unit) "
      "or "
      "SIGINT: the command that runs is waited for, no further step is begun, and it goes back. A way back "
      "is "
      "gone to its end; SIGKILL ends that too, and `gpu-interlock recover` takes it up.");
  command->callback([&action, call] {
    action = [call](Context& context) {
      Outcome outcome = cut_over(context, *call);
      // Also where the cutover was never asked to begin, a script finds how it ended.
      if (outcome.exit != exits::kDone && !outcome.json.contains("result")) {
        outcome.json["result"] = outcome.exit == exits::kRefused ? "refused" : "error";
      }
      return outcome;
    };
  });
}

}  // namespace interlock::cli
