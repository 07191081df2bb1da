// What stops a cutover that is under way: the guard's word about one of its cards (design, section 6).
#pragma once

#include <optional>
#include <string>

#include "act/run.h"

namespace interlock::act {

/// A latch, a trip, or on the way forward a guard that no longer watches. Nothing: go on.
std::optional<std::string> objection(Run& run);

}  // namespace interlock::act
