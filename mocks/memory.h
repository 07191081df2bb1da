// The machine behind MockHost: time is a number, and a command that waits waits for events alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mocks/machine.h"
#include "mocks/mock_host.h"

namespace interlock::mocks {

inline constexpr const char* kController = "controller";  // who holds a lock
inline constexpr const char* kWorker = "worker";

class MockHost::Memory final : public Machine {
 public:
  Memory(Model start, MockHost& host) : Machine(std::move(start)), host_(host) {}

  bool wait_until(const std::function<bool()>& done, Duration limit) override;
  std::optional<std::string> gate_refusal(int vmid) override;
  bool take_lock(const std::string& path, Duration patience) override;
  void release_lock(const std::string& path) override { model.locks.erase(path); }
  std::optional<std::string> host_file(const std::string& path) override { return host_.peek(path); }
  void before_guests() override {
    if (host_.boot_gate) host_.boot_gate(host_);
  }

  template <class Body>
  void without_deadline(Body body) {
    const auto before = std::exchange(deadline_, std::nullopt);
    body();
    deadline_ = before;
  }

  CommandEnd perform(const Command& command, bool half);

 private:
  MockHost& host_;
  std::optional<Instant> deadline_;
};

}  // namespace interlock::mocks
