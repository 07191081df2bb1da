// A child process that is asked again and again, and answers each question before the next: begun by the
// first question, replaced when an answer is late, never waited for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "daemon/left_behind.h"

namespace interlock::daemon {

class AskedChild {
 public:
  struct Started {
    ChildProcess child;
    Fd ask;     // questions go here; never blocks
    Fd answer;  // answers come here; never blocks
  };
  /// `work` has its questions on standard input, and answers on standard output. `keep`: ForkOptions.
  static Result<Started> fork(const std::function<int()>& work, int keep = -1);

  using Start = std::function<Result<Started>()>;
  /// More has come. Takes a whole answer off the front, and calls answered() or miss().
  using OnBytes = std::function<void(std::string& bytes)>;
  /// Asked for, and not come: `why`. The next question begins another child.
  using OnMissed = std::function<void(const std::string& why)>;

  /// `what`: for LeftBehind. A third is not begun while two hang in the kernel.
  AskedChild(EventLoop& loop, LeftBehind& left_behind, std::string what, Start start, OnBytes on_bytes,
             OnMissed on_missed);
  AskedChild(const AskedChild&) = delete;
  AskedChild& operator=(const AskedChild&) = delete;
  ~AskedChild() { rest(); }

  /// Never blocks. The last question must have been answered or missed; `on_missed` may be called before this
  /// returns.
  void ask(std::string_view question, Duration patience);
  void answered() { deadline_.off(); }
  void miss(const std::string& why);
  /// Ends the child without a word; what was asked is not awaited any more.
  void rest();

  /// The next question goes to one that is there already.
  bool begun() const { return child_.has_value(); }
  bool awaiting() const { return deadline_.armed(); }
  /// Those that were killed and could not be ended.
  std::size_t hung() const { return left_behind_.count(what_); }
  /// Answers that did not come in time.
  unsigned late() const { return late_; }

 private:
  Result<void> begin();
  void take_answer();
  void deadline_passed();

  EventLoop& loop_;
  LeftBehind& left_behind_;
  std::string what_;
  Start start_;
  OnBytes on_bytes_;
  OnMissed on_missed_;
  std::optional<ChildProcess> child_;
  Fd ask_;
  Fd answer_;
  std::string bytes_;
  Duration patience_{};
  unsigned late_ = 0;
  Watch readable_;
  Timer deadline_;  // armed while an answer is awaited
};

}  // namespace interlock::daemon
