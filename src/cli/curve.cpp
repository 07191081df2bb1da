#include "cli/curve.h"

#include <algorithm>
#include <array>

namespace interlock::cli {
namespace {

constexpr int kDotRows = 4;  // of a braille character
constexpr int kDotColumns = 2;

struct Scale {
  Celsius low;
  Celsius high;
  int levels = 1;

  int level(Celsius value) const {
    const auto span = std::max<std::int64_t>((high - low).milli(), 1);
    const auto at = ((value - low).milli() * (levels - 1) + span / 2) / span;
    return static_cast<int>(std::clamp<std::int64_t>(at, 0, levels - 1));
  }
};

Scale scale_of(const Values& values, const std::optional<Limits>& limits, int levels) {
  const Celsius margin = Celsius::from_degrees(5);
  Scale scale{.low = limits ? limits->resume - Celsius::from_degrees(40) : Celsius::from_degrees(20),
              .high = limits ? limits->trip + margin : Celsius::from_degrees(100),
              .levels = levels};
  for (const auto& value : values) {
    if (!value) continue;
    scale.low = std::min(scale.low, *value);
    scale.high = std::max(scale.high, *value);
  }
  return scale;
}

/// Dots by column from the left and level from below, and the columns where nothing was measured.
struct Dots {
  int columns;
  int levels;
  std::vector<bool> set;
  std::vector<bool> blind;

  Dots(int wide, int high)
      : columns(wide),
        levels(high),
        set(static_cast<std::size_t>(wide * high)),
        blind(static_cast<std::size_t>(wide)) {}
  std::size_t at(int column, int level) const { return static_cast<std::size_t>(column * levels + level); }
};

/// Neighbours are joined: a curve without a steep part missing.
Dots dots_of(const Values& values, const Scale& scale, int columns) {
  Dots dots(columns, scale.levels);
  const int count = std::min(static_cast<int>(values.size()), columns);
  std::optional<int> before;
  for (int i = 0; i < count; ++i) {
    const auto& value = values[values.size() - static_cast<std::size_t>(count - i)];
    const int column = columns - count + i;
    if (!value) {
      dots.blind[static_cast<std::size_t>(column)] = true;
      before.reset();
      continue;
    }
    const int level = scale.level(*value);
    const int from = before.value_or(level);
    for (int dot = std::min(from, level); dot <= std::max(from, level); ++dot) {
      if (dot != from || dot == level) dots.set[dots.at(column, dot)] = true;
    }
    before = level;
  }
  return dots;
}

std::string utf8(char32_t point) {
  return {static_cast<char>(0xe0 | (point >> 12)), static_cast<char>(0x80 | ((point >> 6) & 0x3f)),
          static_cast<char>(0x80 | (point & 0x3f))};
}

/// The dots of one character, `line` counted from below; empty: none.
std::string braille(const Dots& dots, int cell, int line) {
  // Bits of the dots of U+2800, from below (Unicode 15, Braille Patterns).
  constexpr std::array<std::array<unsigned, kDotRows>, kDotColumns> kBits{
      {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}};
  unsigned bits = 0;
  for (int x = 0; x < kDotColumns; ++x) {
    for (int y = 0; y < kDotRows; ++y) {
      if (dots.set[dots.at(cell * kDotColumns + x, line * kDotRows + y)])
        bits |= kBits[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
    }
  }
  return bits == 0 ? "" : utf8(0x2800 + bits);
}

enum class Paint { none, warn, bad };

/// Characters of one colour together: a colour's codes once a run, not once a character.
class Painted {
 public:
  explicit Painted(const Style& style) : style_(style) {}
  void add(Paint paint, const std::string& character) {
    if (paint != paint_) flush();
    paint_ = paint;
    run_ += character;
  }
  std::string whole() {
    flush();
    return text_;
  }

 private:
  void flush() {
    if (run_.empty()) return;
    text_ += paint_ == Paint::bad ? style_.bad(run_) : paint_ == Paint::warn ? style_.warn(run_) : run_;
    run_.clear();
  }
  const Style& style_;
  Paint paint_ = Paint::none;
  std::string run_;
  std::string text_;
};

bool was_blind(const Dots& dots, int cell, int columns_a_cell) {
  for (int x = 0; x < columns_a_cell; ++x) {
    if (dots.blind[static_cast<std::size_t>(cell * columns_a_cell + x)]) return true;
  }
  return false;
}

}  // namespace

std::size_t values_shown(const CurveForm& form) {
  return static_cast<std::size_t>(std::max(form.width, 0)) * (form.unicode ? kDotColumns : 1);
}

Curve curve(const Values& values, const std::optional<Limits>& limits, const CurveForm& form,
            const Style& style) {
  Curve drawn;
  if (form.width <= 0 || form.height <= 0) return drawn;
  const int rows_a_line = form.unicode ? kDotRows : 1;
  const int columns_a_cell = form.unicode ? kDotColumns : 1;
  const std::size_t shown = std::min(values.size(), values_shown(form));
  const Values last(values.end() - static_cast<std::ptrdiff_t>(shown), values.end());
  const Scale scale = scale_of(last, limits, form.height * rows_a_line);
  const Dots dots = dots_of(last, scale, form.width * columns_a_cell);
  const auto line_of = [&](Celsius limit) {
    return static_cast<std::size_t>(form.height - 1 - scale.level(limit) / rows_a_line);
  };
  if (limits) {
    drawn.warn_line = line_of(limits->warn);
    drawn.trip_line = line_of(limits->trip);
  }
  for (int from_below = form.height - 1; from_below >= 0; --from_below) {
    const std::size_t line = drawn.lines.size();
    Painted text(style);
    for (int cell = 0; cell < form.width; ++cell) {
      const std::string dot = form.unicode                          ? braille(dots, cell, from_below)
                              : dots.set[dots.at(cell, from_below)] ? "*"
                                                                    : "";
      if (!dot.empty()) {
        text.add(Paint::none, dot);
      } else if (from_below == 0 && was_blind(dots, cell, columns_a_cell)) {
        text.add(Paint::bad, "?");
      } else if (line == drawn.trip_line) {
        text.add(Paint::bad, form.unicode ? "\u2504" : "-");
      } else if (line == drawn.warn_line) {
        text.add(Paint::warn, form.unicode ? "\u2508" : ".");
      } else {
        text.add(Paint::none, " ");
      }
    }
    drawn.lines.push_back(text.whole());
  }
  return drawn;
}

}  // namespace interlock::cli
