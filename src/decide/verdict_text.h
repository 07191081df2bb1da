// What one temperature file's text is worth by itself: no history, no other file.
#pragma once

#include <expected>
#include <string>

#include "base/units.h"
#include "model/sample.h"
#include "model/verdict.h"

namespace interlock::decide {

/// Why a reading is not believed: `kind` is implausible or unreadable.
struct Disbelief {
  VerdictKind kind = VerdictKind::unreadable;
  std::string why;
};

/// The temperature that a tempN_input spells, in the believable range (0, 150] C. sysfs gives whole
/// millidegrees and one LF: a text without that LF may be cut short, and is implausible.
std::expected<Celsius, Disbelief> temperature_of(const FileRead& input);

}  // namespace interlock::decide
