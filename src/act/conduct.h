// A cutover that has begun: steps are walked with the journal ahead of them, and a failure is led back to
// where it began, or held where it is safe (design, section 6).
#pragma once

#include <optional>
#include <string>

#include "act/cutover.h"
#include "act/journal.h"
#include "act/run.h"
#include "model/host_state.h"

namespace interlock::act {

class Conduct {
 public:
  Conduct(Run& run, Journal journal, Target way_back, OnFailure on_failure, const Progress& progress)
      : run_(run),
        journal_(std::move(journal)),
        way_back_(std::move(way_back)),
        on_failure_(on_failure),
        progress_(progress) {
    report_.id = journal_.id();
    run_.record = [this](const JournalRecord& record) { return journal_.write(record); };
  }
  ~Conduct() { run_.record = nullptr; }
  Conduct(const Conduct&) = delete;
  Conduct& operator=(const Conduct&) = delete;

  /// To the plan's end, or back: done, rolled_back or held. `from`: so many of its steps are done already.
  CutoverReport forward(const Plan& plan, std::size_t from = 0);
  /// The same for a run that goes on where an earlier one stopped.
  CutoverReport on_again(const Plan& plan);
  /// From whatever is there now to where it began: rolled_back or held. `why` it turns back.
  CutoverReport back(const std::string& why);
  /// The same along a way back that is planned and proven.
  CutoverReport back_by(const Plan& plan, const std::string& why);
  /// And recorded.
  CutoverReport back_along(const Plan& plan, std::size_t from, const std::string& why);
  /// It can go no way: says what is not as it was.
  CutoverReport held(const std::string& why);

 private:
  /// Nothing: every step is done. Else why it stopped.
  std::optional<std::string> walk(const Plan& plan, std::size_t from);
  std::optional<std::string> walk(const Step& step);
  void give_back_files();
  CutoverReport commit(CutoverResult result);
  void stands(Juncture::At at, const Plan* plan = nullptr, std::size_t from = 0) const;
  void go_back(const Target& target, const std::string& why);
  /// A plan from what is there to where it began, proven.
  Result<Plan> plan_back();

  Run& run_;
  Journal journal_;
  Target way_back_;
  OnFailure on_failure_;
  const Progress& progress_;
  CutoverReport report_;
};

/// The host as it is, once nothing of an earlier step is still at work on it: no task of Proxmox, no unit on
/// its way down, no question without an answer. Waits for that within the policy's time for a stop, and takes
/// it as it is then.
Result<HostState> settled_state(Run& run);

}  // namespace interlock::act
