// A piece of work in a forked child that answers in lines, with a deadline: shed workers, latch writes,
// hooks. At its deadline it is killed and left behind; its owner goes on at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "daemon/left_behind.h"
#include "daemon/lines.h"

namespace interlock::daemon {

class ChildTask {
 public:
  struct Options {
    std::string what;  // for LeftBehind
    Instant deadline{};
    bool dies_with_us = true;  // false: it finishes what it began, whatever becomes of the daemon
  };
  /// A line that the child wrote, without its LF. Must not destroy the task; OnEnd may.
  using OnLine = std::function<void(std::string_view line)>;
  /// The child has ended and all its lines were given; empty: cleanly. Or why it was not waited for any
  /// longer.
  using OnEnd = std::function<void(const std::string& trouble)>;

  /// Destroying the task leaves the child to `left_behind`, killed, without a call of `on_end`; one that is
  /// not to die with us goes on by itself.
  static Result<std::unique_ptr<ChildTask>> start(EventLoop& loop, LeftBehind& left_behind,
                                                  const Options& options, const std::function<int()>& work,
                                                  OnLine on_line, OnEnd on_end);
  ChildTask(const ChildTask&) = delete;
  ChildTask& operator=(const ChildTask&) = delete;
  ~ChildTask();

 private:
  ChildTask(EventLoop& loop, LeftBehind& left_behind, const Options& options, ChildProcess child, Fd output,
            OnLine on_line, OnEnd on_end);
  void take_output();
  void ended();
  void late();

  LeftBehind& left_behind_;
  Options options_;
  std::optional<ChildProcess> child_;
  Fd output_;
  std::string partial_;
  OnLine on_line_;
  OnEnd on_end_;
  Watch readable_;
  Watch end_;
  Timer deadline_;
};

}  // namespace interlock::daemon
