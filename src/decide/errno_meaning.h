// What each errno of a sensor's open or read says of the card (amdgpu.md, 1.6).
#pragma once

#include <string>

namespace interlock::decide {

/// "EOPNOTSUPP: the card's management processor hangs, or a bus error hides behind it". An errno that no
/// driver is known to give keeps the system's own words.
std::string errno_meaning(int code);

}  // namespace interlock::decide
