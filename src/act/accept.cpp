// `recover --accept`: a person takes the host as it is, and closes what nobody runs (11.1).
#include "act/journal.h"
#include "act/ledger_file.h"
#include "act/mend.h"
#include "act/record.h"
#include "act/undertaking.h"
#include "base/text.h"
#include "decide/invariants.h"
#include "host/paths.h"

namespace interlock::act {
namespace {

std::vector<Unmet> not_exclusive(const HostState& state, const Policy& policy) {
  std::vector<Unmet> unmet;
  for (const decide::Breach& breach : decide::breaches(state, policy)) {
    if (breach.invariant != "I1") continue;
    unmet.push_back({"card-double-bound", breach.card ? policy.card_name(*breach.card) : "host",
                     breach.message, "take the card out of one of them, or stop it and its autostart"});
  }
  return unmet;
}

/// Every cutover without an end, readable or not.
Result<std::vector<std::string>> open_ids(Host& host) {
  std::vector<std::string> open;
  for (const std::string& id : TRY(journal_ids(host))) {
    const auto reading = read_journal(host, id);
    if (!reading || !reading->ended()) open.push_back(id);
  }
  return open;
}

Result<void> close(Host& host, const std::string& id, const std::string& reason) {
  const JournalRecord end{"end", {{"result", "accepted"}, {"reason", reason}, {"at", host.wall_clock()}}};
  if (const auto reading = read_journal(host, id)) return Journal::reopen(host, *reading).write(end);
  // What cannot be read cannot be gone on with: its place is taken by its end.
  return host.replace_file(journal_path(id), journal_line(end), 0600, Durability::synced);
}

}  // namespace

CutoverReport accept_as_is(Host& host, const Policy& policy, const std::string& reason) {
  const auto lock = take_cutover_lock(host);
  if (!lock) return lock.error();
  const auto open = open_ids(host);
  if (!open) return error_report(open.error().message);
  CutoverReport report;
  report.result = CutoverResult::unchanged;
  if (open->empty()) return report;
  report.id = open->back();
  const auto state = look_as_holder(host, policy);
  if (!state) return error_report(state.error().message);
  report.unmet = not_exclusive(*state, policy);
  if (!report.unmet.empty()) {
    report.result = CutoverResult::refused;
    return report;
  }
  auto closed =
      record(host, fmt::format("cutover {} was closed with the host as it is", joined(*open, ", ")), reason);
  if (closed) closed = barrier(host);
  if (closed) closed = write_ledger(host, bound_ledger(*state, policy));
  for (const std::string& id : *open) {
    if (closed) closed = close(host, id, reason);
  }
  if (!closed) return error_report(closed.error().message);
  report.result = CutoverResult::done;
  return report;
}

}  // namespace interlock::act
