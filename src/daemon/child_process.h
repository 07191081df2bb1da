// Child processes of the daemon, each known by its pidfd and never waited for: they read what may hang (a
// card's sensors, /proc, /etc/pve, pct), so that the loop never does.
#pragma once

#include <sys/types.h>

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "daemon/event_loop.h"

namespace interlock::daemon {

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

/// Runs `work` in a child that has only its standard descriptors, default signals and no lock, socket or
/// timer of ours; its result is the exit status. `work` may exec. Safe since the daemon has one thread.
Result<ChildProcess> fork_child(const ForkOptions& options, const std::function<int()>& work);

/// Children that were killed and have not ended yet. A process in an uninterruptible read cannot be killed:
/// it is left, counted by what it was, and taken off the list when it ends after all.
class LeftBehind {
 public:
  explicit LeftBehind(EventLoop& loop) : loop_(loop) {}
  /// Kills it and waits for its end without waiting. `what`: "reader of 0000:03:00.0".
  void take(ChildProcess child, std::string what);
  std::size_t count(std::string_view what) const;
  std::size_t count() const { return children_.size(); }

 private:
  struct Left {
    ChildProcess child;
    std::string what;
    Watch watch;
  };
  EventLoop& loop_;
  std::list<Left> children_;
};

/// A pipe with both ends close-on-exec; `read` never blocks.
struct Pipe {
  Fd read;
  Fd write;
};
Result<Pipe> make_pipe();

}  // namespace interlock::daemon
