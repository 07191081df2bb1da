// A latched card that is at its trip though nobody is seen to use it: it is hot from before, and cools; or
// somebody uses it unseen, and what could be he is stopped (design, section 4). Pure.
#pragma once

#include <array>
#include <optional>

#include "base/time.h"
#include "model/verdict.h"
#include "policy/policy.h"

namespace interlock::decide {

using Temperatures = std::array<std::optional<Celsius>, 2>;  // by Channel; nothing: not measured

/// A required channel is blind; or it is at its trip, and not cooler than `before` (11.7).
bool stays_hot(const GuardPolicy& guard, const Temperatures& before, const Verdicts& now);

class HeatAlone {
 public:
  struct Due {
    bool alarm = false;       // once
    bool containers = false;  // those that bind the card are to be stopped
  };
  /// `alone`: it is latched, nobody is seen to have it open, and no ladder is climbed for it. The containers
  /// are due when it was at its trip for as long as a unit has to stop and is then no cooler than before that
  /// time; a card that has cooled gets the time again, from the cooler temperature on.
  Due look(const GuardPolicy& guard, const Verdicts& verdicts, bool alone, Instant now);

 private:
  std::optional<Instant> since_;
  Temperatures before_;  // then
  bool told_ = false;
};

}  // namespace interlock::decide
