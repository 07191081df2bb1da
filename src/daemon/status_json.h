// The daemon's own view, as Status() gives it: one JSON object, "schema": 1. It knows more than guard.json:
// holders, readers, what it last did and when.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "daemon/card_watch.h"

namespace interlock::daemon {

/// `broken`: what is wrong with the policy, empty when nothing is; `fresh`: every card was judged on time.
std::string daemon_status(const std::list<std::unique_ptr<CardWatch>>& cards, const HolderWatch& holders,
                          const LeftBehind& left_behind, const std::string& broken, bool fresh, Instant now);

}  // namespace interlock::daemon
