// What we tell the service manager (the protocol of sd_notify(3)), over NOTIFY_SOCKET wherever one is set.
// Unlike sd_notify() it never waits for a service manager that does not listen: the cards cannot.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <optional>
#include <string>

#include "base/fd.h"
#include "base/time.h"

namespace interlock::daemon {

class ServiceManager {
 public:
  /// From NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID; without them every call does nothing.
  static ServiceManager from_environment();

  /// False: not sent, try again.
  bool ready(const std::string& status);
  void reloading(Instant now);
  void stopping(const std::string& status);
  void status(const std::string& sentence);
  void feed_watchdog();
  /// How often it wants to be fed: half of WatchdogSec. Nothing: no watchdog.
  std::optional<Duration> feed_every() const { return feed_every_; }

 private:
  bool send(const std::string& message);

  Fd socket_;
  sockaddr_un address_{};
  socklen_t address_size_ = 0;
  std::optional<Duration> feed_every_;
  std::string status_;
};

}  // namespace interlock::daemon
