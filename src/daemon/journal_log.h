// The daemon's log: structured entries in journald on a host, lines on standard error else (rooted, or by
// hand).
#pragma once

#include <memory>

#include "daemon/event.h"

namespace spdlog {
class logger;
}

namespace interlock::daemon {

class Log {
 public:
  /// `rooted`: the host's journal is not ours to write.
  explicit Log(bool rooted);
  void write(const Event& event);

 private:
  void write_to_journal(const Event& event);
  bool to_journal_;
  std::shared_ptr<spdlog::logger> stderr_;
};

}  // namespace interlock::daemon
