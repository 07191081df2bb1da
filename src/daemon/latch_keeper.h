// One card's latch file, written by a child process: a sync may wait for a slow or broken disk, and another
// card's trip must not wait with it. The child outlives the daemon, so that a latch once wanted is written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/child_task.h"
#include "host/host.h"
#include "model/host_state.h"

namespace interlock::daemon {

class LatchKeeper {
 public:
  using Done = std::function<void(const Result<void>& result)>;

  LatchKeeper(EventLoop& loop, LeftBehind& left_behind, std::string root, PciAddress card);
  LatchKeeper(const LatchKeeper&) = delete;
  LatchKeeper& operator=(const LatchKeeper&) = delete;

  /// One after the other, in the order wanted. `done`: the file is as wanted, or why not.
  void set(Latch latch, Done done);
  /// `reason` of a forced reset is recorded first.
  void clear(std::string what, std::string reason, Done done);

 private:
  struct Job {
    std::function<Result<void>(Host&)> work;
    Done done;
  };
  void next();

  EventLoop& loop_;
  LeftBehind& left_behind_;
  std::string root_;
  PciAddress card_;
  std::vector<Job> jobs_;
  std::string trouble_;
  std::unique_ptr<ChildTask> task_;
};

}  // namespace interlock::daemon
