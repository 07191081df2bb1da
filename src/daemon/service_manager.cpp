#include "daemon/service_manager.h"

#include <fmt/format.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace interlock::daemon {

ServiceManager ServiceManager::from_environment() {
  ServiceManager manager;
  std::uint64_t microseconds = 0;
  if (sd_watchdog_enabled(0, &microseconds) > 0) {
    manager.feed_every_ = std::chrono::microseconds(microseconds) / 2;
  }
  const char* named = std::getenv("NOTIFY_SOCKET");
  const std::string_view path = named == nullptr ? std::string_view{} : named;
  auto& address = manager.address_;
  if (path.empty() || path.size() >= sizeof address.sun_path) return manager;
  address.sun_family = AF_UNIX;
  std::ranges::copy(path, address.sun_path);
  if (path.front() == '@') address.sun_path[0] = '\0';  // an abstract one
  manager.address_size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  manager.socket_ = Fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  return manager;
}

bool ServiceManager::send(const std::string& message) {
  if (!socket_) return true;
  return ::sendto(socket_.get(), message.data(), message.size(), MSG_NOSIGNAL,
                  reinterpret_cast<const sockaddr*>(&address_), address_size_) >= 0;
}

bool ServiceManager::ready(const std::string& status) {
  status_ = status;
  return send("READY=1\nSTATUS=" + status);
}

void ServiceManager::reloading(Instant now) {
  send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", to_ns(now) / 1000));
}

void ServiceManager::stopping(const std::string& status) {
  send("STOPPING=1\nSTATUS=" + status);
}

void ServiceManager::status(const std::string& sentence) {
  if (sentence != status_ && send("STATUS=" + sentence)) status_ = sentence;
}

void ServiceManager::feed_watchdog() {
  send("WATCHDOG=1");
}

}  // namespace interlock::daemon
