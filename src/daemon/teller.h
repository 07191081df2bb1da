// Tells people, after the fact: the log first, then whoever the policy names.
#pragma once

#include "daemon/hooks.h"
#include "daemon/journal_log.h"
#include "host/host.h"

namespace interlock::daemon {

class Teller {
 public:
  Teller(EventLoop& loop, LeftBehind& left_behind, Host& host, const std::string& root);
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;

  void notify_commands(std::vector<Argv> commands) { notify_ = std::move(commands); }
  void tell(const Event& event);
  /// A card's `cool:` commands, with the event as theirs.
  void run(const std::vector<Argv>& commands, const Event& event);

 private:
  Host& host_;
  Log log_;
  Hooks hooks_;
  std::vector<Argv> notify_;
};

}  // namespace interlock::daemon
