#include "daemon/teller.h"

namespace interlock::daemon {

Teller::Teller(EventLoop& loop, LeftBehind& left_behind, Host& host, const std::string& root)
    : host_(host), log_(host.rooted()), hooks_(loop, left_behind, root, [this](const std::string& sentence) {
        log_.write({.kind = EventKind::trouble, .message = "a command of the policy failed: " + sentence});
      }) {}

void Teller::tell(const Event& event) {
  log_.write(event);
  if (traits(event.kind).notify) run(notify_, event);
}

void Teller::run(const std::vector<Argv>& commands, const Event& event) {
  if (!commands.empty()) hooks_.run(commands, event_json(event, host_.wall_clock()) + "\n");
}

}  // namespace interlock::daemon
