// Time as decisions see it: CLOCK_BOOTTIME, which runs on through suspend and never steps. There is no now()
// here; who needs the time is given it.
#pragma once

#include <chrono>
#include <cstdint>

namespace interlock {

using Duration = std::chrono::nanoseconds;

struct BootClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock, duration>;
  static constexpr bool is_steady = true;
};

/// Nanoseconds since this boot. Comparable only with instants of the same boot id.
using Instant = BootClock::time_point;

constexpr Instant instant_from_ns(std::int64_t ns) {
  return Instant{Duration{ns}};
}
constexpr std::int64_t to_ns(Instant at) {
  return at.time_since_epoch().count();
}

}  // namespace interlock
