// A typed face of sd-bus(3): all its variadic calls are in bus.cpp, each with the signature that its
// arguments have. The interface is org.gpu_interlock1, on a private socket and on the system's bus alike.
#pragma once

#include <systemd/sd-bus.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "daemon/event_loop.h"

namespace interlock::daemon {

/// What callers may ask. Each answers at once, or later through its Reply; never blocks.
class ControlMethods {
 public:
  using Reply = std::function<void(Result<void>)>;
  ControlMethods() = default;
  ControlMethods(const ControlMethods&) = delete;
  ControlMethods& operator=(const ControlMethods&) = delete;
  virtual ~ControlMethods() = default;

  virtual std::string status() = 0;  // JSON
  /// `card`: its name in the policy, or its PCI address.
  virtual void reset(const std::string& card, bool force, const std::string& reason, Reply reply) = 0;
  virtual void reload(Reply reply) = 0;
};

/// Signals of the interface.
struct TrippedSignal {
  std::string card;
  std::string reason;  // "over-temperature", "blind"
  std::string why;
};
struct ShedSignal {
  std::string card;
  std::string rung;
  std::string subject;
  std::string text;
  bool empty = false;
};
struct LatchedSignal {
  std::string card;
  std::string reason;
};

/// One connection, served by the event loop.
class Bus {
 public:
  /// A peer that connected to our private socket and may ask everything. `on_gone`: it has left.
  static Result<Bus> serve_peer(EventLoop& loop, Fd socket, ControlMethods& methods, Callback on_gone);
  /// The system's bus, where only its configuration and the caller's rights let others ask.
  static Result<Bus> join_system(EventLoop& loop, ControlMethods& methods, Callback on_gone);
  Bus(Bus&&) noexcept = default;
  Bus& operator=(Bus&&) noexcept = default;
  ~Bus() = default;

  /// A signal that a slow peer does not take is dropped.
  void emit(const TrippedSignal& signal);
  void emit(const ShedSignal& signal);
  void emit(const LatchedSignal& signal);

 private:
  struct Shared;
  explicit Bus(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  static Result<Bus> begin(EventLoop& loop, std::shared_ptr<Shared> shared);
  std::shared_ptr<Shared> shared_;
};

/// The client's side, which waits: connected to a private socket.
class BusClient {
 public:
  static Result<BusClient> over(Fd socket);
  /// An Error with code EPERM: the daemon refuses, and says why. ETIMEDOUT: it does not answer.
  Result<std::string> status();
  Result<void> reset(const std::string& card, bool force, const std::string& reason);
  Result<void> reload();

 private:
  struct Close {
    void operator()(sd_bus* bus) const { sd_bus_flush_close_unref(bus); }
  };
  explicit BusClient(sd_bus* bus) : bus_(bus) {}
  std::unique_ptr<sd_bus, Close> bus_;
};

}  // namespace interlock::daemon
