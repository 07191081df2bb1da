// What stops a cutover that is under way: the guard's word about one of its cards, or whoever runs it
// (design, section 6).
#pragma once

#include <optional>
#include <string>

#include "act/run.h"

namespace interlock::act {

/// On the way forward: somebody has told this process to end. Nothing: go on. Costs nothing to ask.
std::optional<std::string> told_to_stop(const Run& run);

/// The same; a latch; a trip; or on the way forward a guard that no longer watches. Nothing: go on.
std::optional<std::string> objection(Run& run);

}  // namespace interlock::act
