// The policy's own commands: `notify:` for events, `cool:` at `warn`. Run as they stand, without a shell,
// with the event as JSON on standard input; bounded in time and number, and never waited for.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "daemon/child_task.h"
#include "policy/policy.h"

namespace interlock::daemon {

class Hooks {
 public:
  /// At most so many at once; more are dropped and counted.
  static constexpr std::size_t kMost = 8;

  using OnTrouble = std::function<void(const std::string& sentence)>;
  Hooks(EventLoop& loop, LeftBehind& left_behind, std::string root, OnTrouble on_trouble);
  Hooks(const Hooks&) = delete;
  Hooks& operator=(const Hooks&) = delete;

  void run(const std::vector<Argv>& commands, const std::string& input);
  unsigned dropped() const { return dropped_; }

 private:
  void run(const Argv& command, const std::string& input);

  EventLoop& loop_;
  LeftBehind& left_behind_;
  std::string root_;
  OnTrouble on_trouble_;
  std::list<std::unique_ptr<ChildTask>> running_;
  unsigned dropped_ = 0;
};

}  // namespace interlock::daemon
