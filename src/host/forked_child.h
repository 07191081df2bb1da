// A copy of this process that does one thing, known by its pidfd and never waited for: it reads what may hang
// (a card's sensors, /proc, /etc/pve, pct), so that we do not.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace interlock {

class ChildProcess {
 public:
  ChildProcess(pid_t pid, Fd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

  pid_t pid() const { return pid_; }
  int pidfd() const { return pidfd_.get(); }  // readable once it has ended
  /// SIGKILL. One that has ended is fine; one that sits in an uninterruptible call ends when that call does.
  void kill() const;
  /// How it ended ("exit status 3", "signal 9"), empty for a clean exit; nothing: it is still there.
  std::optional<std::string> reap() const;

 private:
  pid_t pid_;
  Fd pidfd_;
};

struct ForkOptions {
  int input = -1;   // becomes standard input; -1: /dev/null
  int output = -1;  // becomes standard output; -1: /dev/null
  int keep = -1;    // stays open under its number; -1: none does
  bool dies_with_us = true;
};

/// Runs `work` in a child that has only its standard descriptors, default signals, a process group of its own
/// (a terminal's ^C is for us alone) and no lock, socket or timer of ours; its result is the exit status.
/// `work` may exec. Only for programs of one thread.
Result<ChildProcess> fork_child(const ForkOptions& options, const std::function<int()>& work);

}  // namespace interlock
