#include "daemon/left_behind.h"

#include <algorithm>

namespace interlock::daemon {

void LeftBehind::take(ChildProcess child, std::string what) {
  child.kill();
  if (loop_.over()) return;  // we end too, and whoever adopts it reaps it
  children_.push_back({std::move(child), std::move(what), {}});
  const auto left = std::prev(children_.end());
  left->watch = loop_.readable(left->child.pidfd(), [this, left] {
    if (left->child.reap()) children_.erase(left);
  });
}

std::size_t LeftBehind::count(std::string_view what) const {
  return static_cast<std::size_t>(std::ranges::count(children_, what, &Left::what));
}

}  // namespace interlock::daemon
