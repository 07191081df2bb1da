// The terminal while `watch` has it: the edge, which knows no values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cli/render_watch.h"

namespace interlock::cli {

/// One at a time. While it lives the terminal shows its other screen, without a cursor, and keys are read one
/// by one. At its end, and when a signal ends or stops the process, everything is as it was found.
class Screen {
 public:
  /// `keys`: standard input is a terminal, too.
  static Result<std::unique_ptr<Screen>> open(bool keys);
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen();

  ScreenForm form() const;
  void show(const std::vector<std::string>& lines);
  enum class Event { time_over, resized, quit };
  /// Waits in the kernel, for `patience` at most.
  Event wait(Duration patience);

 private:
  explicit Screen(bool keys) : keys_(keys) {}
  bool keys_;
};

}  // namespace interlock::cli
