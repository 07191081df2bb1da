// A real gpu-interlockd on a mocked host, started and watched as systemd would.
#pragma once

#include <optional>

#include "base/fd.h"
#include "blackbox.h"

namespace interlock::tests {

/// What sd_notify(3) speaks to.
class NotifySocket {
 public:
  NotifySocket();
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;
  ~NotifySocket();
  const std::string& path() const { return path_; }
  /// Everything that came till now.
  const std::string& heard();
  std::size_t count(const std::string& word);

 private:
  std::string path_;
  Fd socket_;
  std::string heard_;
};

class GuardBench {
 public:
  GuardBench() : folder_(host.path("/tmp")) { host.write("/tmp/.keep", ""); }

  /// In the background; `environment` as NAME=VALUE. Not waited for.
  std::unique_ptr<Running> start(Words environment = {});
  /// Until it has judged every card.
  std::unique_ptr<Running> start_and_wait(Words environment = {});
  /// What it logged since the bench began.
  std::string log() const;

  nlohmann::json report() const;  // guard.json
  std::string state(const std::string& card) const;
  bool becomes(const std::string& card, const std::string& state,
               std::chrono::seconds limit = std::chrono::seconds(30));
  /// Waited for: one that was late is replaced, and for a moment there is none.
  std::optional<pid_t> reader(pid_t daemon, const std::string& pci) const;
  bool frozen_anything() const;
  /// The processes that have the card open, as a fresh look says.
  nlohmann::json holders(const std::string& card) const;

  MockedHost host;

 private:
  static std::optional<pid_t> reader_now(pid_t daemon, const std::string& pci);

  std::string folder_;
};

}  // namespace interlock::tests
