// Finishing what an earlier run left open. The host is believed, not the journal: the journal only knows
// where it began and where it wanted to go.
#include "act/begin_record.h"
#include "act/conduct.h"
#include "act/cutover.h"
#include "act/permission.h"
#include "act/place_files.h"
#include "act/undertaking.h"

namespace interlock::act {
namespace {

/// Not even its first record is whole: nothing was done.
CutoverReport close_unbegun(Journal& journal) {
  const auto closed = journal.end("nothing-begun");
  if (!closed) return error_report(closed.error().message);
  CutoverReport report;
  report.id = journal.id();
  report.result = CutoverResult::done;
  return report;
}

CutoverReport go_back(Run& run, Journal journal, const Beginning& beginning, const Progress& progress) {
  // Where it can be had: nothing that leads back is refused.
  const auto backups = keep_backups_out(run.host);
  Conduct conduct(run, std::move(journal), beginning.way_back, OnFailure::hold, progress);
  CutoverReport report = conduct.back("recovered");
  if (report.result != CutoverResult::rolled_back) return report;
  report.result = CutoverResult::done;  // it is what was asked
  report.error.clear();
  return report;
}

CutoverReport go_on(Run& run, Journal journal, const Beginning& beginning, const HostState& state,
                    OnFailure on_failure, const Progress& progress) {
  const auto cutover = run.policy.cutovers.find(beginning.name);
  if (cutover != run.policy.cutovers.end()) run.cutover = &cutover->second;
  auto unmet =
      all_unmet(run, state, beginning.target, {.without_guard = run.without_guard, .open_cutover = true});
  if (!unmet.empty()) return refused(std::move(unmet));
  const auto plan = proven_plan(run, state, beginning.target);
  if (!plan) return refused({plan.error()});
  const auto backups = keep_backups_out(run.host);
  if (!backups) return refused({backups.error()});
  Conduct conduct(run, std::move(journal), beginning.way_back, on_failure, progress);
  return conduct.on_again(*plan);
}

}  // namespace

CutoverReport recover(Host& host, Direction direction, const CutoverOptions& options,
                      const Progress& progress) {
  if (auto why = no_pct(host)) return error_report(*std::move(why));
  const auto lock = take_cutover_lock(host);
  if (!lock) return lock.error();
  const auto open = open_journal(host);
  if (!open) return error_report(open.error().message);
  if (!*open) {
    CutoverReport report;
    report.result = CutoverResult::unchanged;
    return report;
  }
  Journal journal = Journal::reopen(host, **open);
  if (nothing_begun(**open)) return close_unbegun(journal);
  const auto beginning = beginning_of(**open);
  if (!beginning) {
    return error_report(beginning.error().message +
                        ": `gpu-interlock recover --accept` closes it with the host as it is");
  }
  Run run(host, beginning->policy, journal.id());
  run.without_guard = beginning->without_guard || options.without_guard;
  run.stands = options.stands;
  run.told_to_stop = options.told_to_stop;
  auto files = files_before(**open);
  if (!files) return error_report(files.error().message);
  run.placed = *std::move(files);
  const auto state = settled_state(run);
  if (!state) return error_report(state.error().message);
  run.cards = cards_of(*state, run.policy, beginning->target);
  run.cards.merge(cards_of(*state, run.policy, beginning->way_back));
  if (direction == Direction::back) return go_back(run, std::move(journal), *beginning, progress);
  return go_on(run, std::move(journal), *beginning, *state, options.on_failure, progress);
}

}  // namespace interlock::act
