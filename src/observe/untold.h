// What could not be seen, and why, to be read behind "cannot tell": HostState::cannot_tell holds one each.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace interlock::observe {

/// "which containers run: cannot open /proc/net/unix: Permission denied"
inline std::string untold(std::string_view what, std::string_view why) {
  return fmt::format("{}: {}", what, why);
}

}  // namespace interlock::observe
