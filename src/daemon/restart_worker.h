// With `latch: until-cool`: starts again what was shed, in a child process, since pct takes its time.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "daemon/child_task.h"
#include "policy/policy.h"

namespace interlock::daemon {

class RestartWorker {
 public:
  /// One sentence for each thing that was started, or could not be.
  using OnStarted = std::function<void(const std::string& sentence)>;
  RestartWorker(EventLoop& loop, LeftBehind& left_behind, std::string root, OnStarted on_started);
  RestartWorker(const RestartWorker&) = delete;
  RestartWorker& operator=(const RestartWorker&) = delete;

  /// `shed`: "120/llamacpp.service", "host/llama.service", "120".
  void begin(const std::set<std::string>& shed, const Timing& timing);
  /// The card tripped again.
  void abandon() { task_.reset(); }

 private:
  EventLoop& loop_;
  LeftBehind& left_behind_;
  std::string root_;
  OnStarted on_started_;
  std::unique_ptr<ChildTask> task_;
};

}  // namespace interlock::daemon
