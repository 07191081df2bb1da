// A small curve of temperatures, made of characters. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "cli/style.h"
#include "policy/policy.h"

namespace interlock::cli {

/// By time, the newest last; nothing: there was no measured value then.
using Values = std::vector<std::optional<Celsius>>;

struct CurveForm {
  int width = 0;        // in characters
  int height = 0;       // in lines
  bool unicode = true;  // braille, two values a character; else ASCII, one
};

struct Curve {
  std::vector<std::string> lines;        // `height` of them, `width` characters each, the highest first
  std::optional<std::size_t> warn_line;  // which of them has it
  std::optional<std::size_t> trip_line;
};

/// The curve, a line at `warn` and one at `trip`, and marks at the foot where nothing was measured. The scale
/// has both limits and every value on it.
Curve curve(const Values& values, const std::optional<Limits>& limits, const CurveForm& form,
            const Style& style);

/// How many values fit.
std::size_t values_shown(const CurveForm& form);

}  // namespace interlock::cli
