// The curves of `watch`: what a person reads off them at two in the morning must be so.
#include "catch.h"
#include "cli/curve.h"

using namespace interlock;
using namespace interlock::cli;

namespace {

const Limits kLimits{Celsius::from_degrees(95), Celsius::from_degrees(102), Celsius::from_degrees(85)};

Values degrees(const std::vector<int>& list) {
  Values values;
  for (const int one : list)
    values.push_back(one < 0 ? std::nullopt : std::optional(Celsius::from_degrees(one)));
  return values;
}

Curve ascii(const std::vector<int>& list, int width = 10, int height = 12) {
  return curve(degrees(list), kLimits, {.width = width, .height = height, .unicode = false}, {});
}

std::size_t line_with(const Curve& drawn, std::size_t column) {
  for (std::size_t line = 0; line < drawn.lines.size(); ++line) {
    if (drawn.lines[line][column] == '*') return line;
  }
  return drawn.lines.size();
}

}  // namespace

TEST_CASE("a curve has the size that was asked for, whatever is on it") {
  for (const std::vector<int>& list :
       {std::vector<int>{}, std::vector<int>{50}, std::vector<int>(100, 60), std::vector<int>{10, 150, -1}}) {
    const Curve drawn = ascii(list);
    CHECK(drawn.lines.size() == 12);
    for (const std::string& line : drawn.lines) CHECK(line.size() == 10);
  }
  CHECK(ascii({50}, 0).lines.empty());
  CHECK(ascii({50}, 10, 0).lines.empty());
}

TEST_CASE("the newest value is at the right, and hotter is higher") {
  const Curve drawn = ascii({50, 60, 70, 90});
  CHECK(drawn.lines[0].back() != '*');
  CHECK(line_with(drawn, 9) < line_with(drawn, 8));
  CHECK(line_with(drawn, 8) < line_with(drawn, 6));
  CHECK(line_with(drawn, 5) == drawn.lines.size());  // before the first value
}

TEST_CASE("a value at the trip is on the trip's line, and one below `warn` is below both") {
  const Curve drawn = ascii({60, 102});
  REQUIRE(drawn.trip_line);
  REQUIRE(drawn.warn_line);
  CHECK(*drawn.trip_line < *drawn.warn_line);
  CHECK(line_with(drawn, 9) == *drawn.trip_line);
  CHECK(line_with(drawn, 8) > *drawn.warn_line);
  CHECK(drawn.lines[*drawn.trip_line].find('-') != std::string::npos);
}

TEST_CASE("values beyond the limits stretch the scale instead of being cut off") {
  const Curve drawn = ascii({5, 149});
  CHECK(line_with(drawn, 9) == 0);
  CHECK(line_with(drawn, 8) == 11);
  CHECK(*drawn.trip_line > 0);
}

TEST_CASE("a time when nothing was believed is a mark at the foot and a gap, never a temperature") {
  const Curve drawn = ascii({60, -1, 60});
  CHECK(drawn.lines.back()[8] == '?');
  CHECK(line_with(drawn, 8) == drawn.lines.size());
}

TEST_CASE("a steep rise is one line without a hole") {
  const Curve drawn = ascii({50, 100});
  for (std::size_t line = line_with(drawn, 9); line < line_with(drawn, 8); ++line)
    CHECK((drawn.lines[line][9] == '*' || drawn.lines[line][8] == '*'));
}

TEST_CASE("braille has two values a character, and its dots are those of Unicode") {
  const CurveForm form{.width = 1, .height = 1, .unicode = true};
  CHECK(values_shown(form) == 2);
  const auto drawn = curve(degrees({45, 45}), std::nullopt, form, {});
  // 45 on a scale from 20 to 100 with four levels is the second from below: dots 3 and 6.
  CHECK(drawn.lines == std::vector<std::string>{"\u2824"});
  CHECK(curve(degrees({20, 100}), std::nullopt, form, {}).lines == std::vector<std::string>{"\u2878"});
}

TEST_CASE("colours are put around runs, not around characters") {
  const auto drawn = curve({}, kLimits, {.width = 40, .height = 4, .unicode = false}, {.colour = true});
  std::size_t codes = 0;
  const std::string& line = drawn.lines[*drawn.trip_line];
  for (std::size_t at = line.find('\x1b'); at != std::string::npos; at = line.find('\x1b', at + 1)) ++codes;
  CHECK(codes == 2);
}
