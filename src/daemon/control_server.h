// Who may ask this daemon, and how: the private socket and, on a real host, the system's bus.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "daemon/bus.h"

namespace interlock::daemon {

class ControlServer {
 public:
  /// Below `root`; on the system's bus only when not `rooted`. Hold the guard's lock.
  static Result<std::unique_ptr<ControlServer>> open(EventLoop& loop, const std::string& root, bool rooted,
                                                     ControlMethods& methods);
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  template <class Signal>
  void emit(const Signal& signal) {
    for (Peer& peer : peers_) {
      if (peer.bus) peer.bus->emit(signal);
    }
    if (system_) system_->emit(signal);
  }

 private:
  struct Peer {
    std::optional<Bus> bus;
  };
  ControlServer(EventLoop& loop, Fd socket, bool rooted, ControlMethods& methods);
  void accept_peer();
  void join_system();

  EventLoop& loop_;
  Fd socket_;
  ControlMethods& methods_;
  std::list<Peer> peers_;
  std::list<Peer> gone_;  // left, but their callback may still run
  std::optional<Bus> system_;
  Watch connecting_;
  Timer sweep_;
  Timer rejoin_;
};

}  // namespace interlock::daemon
