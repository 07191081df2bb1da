// Children that were killed and have not ended yet.
#pragma once

#include <list>
#include <string>
#include <string_view>

#include "daemon/event_loop.h"
#include "host/forked_child.h"

namespace interlock::daemon {

/// A process in an uninterruptible read cannot be killed:
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

}  // namespace interlock::daemon
