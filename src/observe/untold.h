// The sentence for what could not be seen: HostState::cannot_tell holds one each.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace interlock::observe {

/// "which containers run could not be told: cannot open /proc/net/unix: Permission denied"
inline std::string untold(std::string_view what, std::string_view why) {
  return fmt::format("{} could not be told: {}", what, why);
}

}  // namespace interlock::observe
