// Durations and sizes as the policy writes them: a whole number with its unit, and nothing else.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "base/units.h"

namespace interlock {

/// "500ms", "2s", "20m", "1h". Nothing for anything else, and for what overflows.
std::optional<Duration> parse_duration(std::string_view text);
/// "512KiB", "64MiB", "2GiB".
std::optional<Bytes> parse_size(std::string_view text);

/// The shortest of those forms that is exact: 1500 ms is "1500ms", 120 s is "2m". Below a millisecond it
/// rounds down.
std::string duration_text(Duration duration);

}  // namespace interlock
