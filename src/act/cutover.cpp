#include "act/cutover.h"

#include "act/begin_record.h"
#include "act/conduct.h"
#include "act/objection.h"
#include "act/permission.h"
#include "act/undertaking.h"
#include "decide/plan.h"

namespace interlock::act {
namespace {

CutoverReport begin(Run& run, Journal journal, const Plan& plan, const Beginning& beginning,
                    OnFailure on_failure, const Progress& progress) {
  const auto begun = journal.begin(begin_record(beginning, plan, run.host.wall_clock()));
  if (!begun) {
    // Without a whole first record nothing has begun; what stands of it may stay, and is understood as that.
    static_cast<void>(journal.discard());
    return error_report(
        fmt::format("nothing was touched, since it cannot be recorded: {}", begun.error().message));
  }
  Conduct conduct(run, std::move(journal), beginning.way_back, on_failure, progress);
  return conduct.forward(plan);
}

}  // namespace

CutoverReport cut_over(Host& host, const Policy& policy, const std::string& name,
                       const CutoverOptions& options, const Progress& progress) {
  const auto found = policy.cutovers.find(name);
  if (found == policy.cutovers.end())
    return error_report(fmt::format("the policy has no cutover \"{}\"", name));
  if (auto why = no_pct(host)) return error_report(*std::move(why));
  const auto lock = take_cutover_lock(host);
  if (!lock) return lock.error();
  const auto state = look_as_holder(host, policy);
  if (!state) return error_report(state.error().message);
  auto journal = Journal::create(host, name);
  if (!journal) return error_report(journal.error().message);

  const Target target = found->second.target();
  Run run(host, policy, journal->id());
  run.cutover = &found->second;
  run.without_guard = options.without_guard;
  run.stands = options.stands;
  run.told_to_stop = options.told_to_stop;
  run.cards = cards_of(*state, policy, target);

  auto unmet =
      all_unmet(run, *state, target, {.without_guard = options.without_guard, .open_cutover = false});
  if (!unmet.empty()) return refused(std::move(unmet));
  const auto plan = proven_plan(run, *state, target);
  if (!plan) return refused({plan.error()});
  if (plan->empty() && decide::differences(*state, policy, target).empty()) {
    CutoverReport report;
    report.result = CutoverResult::unchanged;
    return report;
  }
  const auto backups = keep_backups_out(host);
  if (!backups) return refused({backups.error()});
  if (auto why = told_to_stop(run)) return refused({{"told-to-stop", name, *std::move(why), "run it again"}});
  const Beginning beginning{.name = name,
                            .policy = policy,
                            .without_guard = options.without_guard,
                            .target = plan->target,
                            .way_back = decide::way_back(*state, policy, target)};
  return begin(run, *std::move(journal), *plan, beginning, options.on_failure, progress);
}

std::string_view to_string(CutoverResult result) {
  switch (result) {
    case CutoverResult::done:
      return "done";
    case CutoverResult::unchanged:
      return "unchanged";
    case CutoverResult::refused:
      return "refused";
    case CutoverResult::rolled_back:
      return "rolled-back";
    case CutoverResult::held:
      return "held";
    case CutoverResult::busy:
      return "busy";
    case CutoverResult::error:
      return "error";
  }
  return "error";
}

int exit_code(CutoverResult result) {
  switch (result) {
    case CutoverResult::done:
    case CutoverResult::unchanged:
      return 0;
    case CutoverResult::refused:
      return 3;
    case CutoverResult::rolled_back:
      return 4;
    case CutoverResult::held:
      return 5;
    case CutoverResult::busy:
      return 6;
    case CutoverResult::error:
      return 7;
  }
  return 7;
}

}  // namespace interlock::act
