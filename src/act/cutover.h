// The cutover engine: journal intent, apply, verify by fresh reading, journal done; on failure, plan back
// from what is there, prove it, and run it (design, section 6).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/finding.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::act {

enum class CutoverResult { done, unchanged, refused, rolled_back, held, busy, error };
std::string_view to_string(CutoverResult result);
int exit_code(CutoverResult result);

enum class OnFailure { rollback, hold };

struct Run;
struct Juncture;

/// By what somebody has told this process to end ("SIGTERM"); nothing: nobody has. Asked between steps and
/// while one waits.
using ToldToStop = std::function<std::optional<std::string>()>;

struct CutoverOptions {
  bool without_guard = false;
  OnFailure on_failure = OnFailure::rollback;
  std::function<void(const Run&, const Juncture&)> stands = {};  // told each juncture that it comes to
  /// Ends the way forward as a step that fails does; a way back goes on to its end.
  ToldToStop told_to_stop = {};
};

struct StepReport {
  Step step;
  bool back = false;  // a step of the way back
  bool done = false;  // seen to be so afterwards
  std::string seen;   // what was read afterwards, or why it failed
  Duration took{};
};

struct CutoverReport {
  CutoverResult result = CutoverResult::error;
  std::string id;  // the journal's; empty when nothing was begun
  std::vector<StepReport> steps;
  std::vector<Unmet> unmet;
  std::vector<std::string> messages;  // what is not as it was, and the command that mends it
  std::string error;                  // why it could not be decided (exit 7), or why it failed
};

/// Told before a step (`done` false, nothing seen) and after it.
using Progress = std::function<void(const StepReport&)>;

CutoverReport cut_over(Host& host, const Policy& policy, const std::string& name,
                       const CutoverOptions& options, const Progress& progress);

enum class Direction { back, forward };
/// Finishes the open cutover, if there is one. The policy is the one that its journal embeds. result
/// `unchanged`: nothing was open; `done`: what was asked is reached, whichever direction that was (the
/// report's journal says it).
CutoverReport recover(Host& host, Direction direction, const CutoverOptions& options,
                      const Progress& progress);

/// At boot, before any guest starts (11.2): closes nothing and starts nothing. Of an open cutover it takes
/// the cards from containers that the ledger does not name, clears their autostart and writes the ledger.
/// Needs no quorum: what cannot be written stays held, and the gate refuses it. result `unchanged`: nothing
/// was open.
CutoverReport recover_at_boot(Host& host, const Progress& progress);

/// `recover --accept` (11.1): closes a cutover that nobody runs with the host as it is now, which must keep
/// I1. Writes the ledger from what is bound; needs no readable journal.
CutoverReport accept_as_is(Host& host, const Policy& policy, const std::string& reason);

}  // namespace interlock::act
