#include "decide/verdict_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "decide/errno_meaning.h"

namespace interlock::decide {
namespace {

constexpr Celsius kColdest = Celsius::from_milli(1);  // a blocked bus reads as 0
constexpr Celsius kHottest = Celsius::from_degrees(150);

/// What broken cards are known to say, with success (amdgpu.md 1.5).
struct KnownLie {
  std::int64_t milli;
  std::string_view cause;
};
constexpr auto kKnownLies = std::to_array<KnownLie>({
    {0, "a blocked bus, or a pending memory error"},
    {255'000, "the code for below its range"},
    {511'000, "a bus that gives only ones"},
    {65'535'000, "a table that is all ones"},
});

std::unexpected<Disbelief> implausible(std::string why) {
  return std::unexpected(Disbelief{VerdictKind::implausible, std::move(why)});
}

std::unexpected<Disbelief> unreadable(std::string why) {
  return std::unexpected(Disbelief{VerdictKind::unreadable, std::move(why)});
}

/// The number, written as the driver writes it: no sign but '-', no blanks, no leading zeros.
std::optional<std::int64_t> whole_number(std::string_view text) {
  const auto number = parse_number<std::int64_t>(text);
  return number && std::to_string(*number) == text ? number : std::nullopt;
}

}  // namespace

std::expected<Celsius, Disbelief> temperature_of(const FileRead& input) {
  if (input.error != 0) return unreadable(errno_meaning(input.error));
  const std::string_view text = input.text;
  if (text.empty()) return unreadable("the read gave nothing");
  if (text.size() >= FileRead::kLongest) return implausible("the text is too long for a temperature");
  if (!text.ends_with('\n'))
    return implausible(fmt::format("the text '{}' has no end of line", printable(text)));
  const auto milli = whole_number(text.substr(0, text.size() - 1));
  if (!milli) return implausible(fmt::format("'{}' is no number", printable(text)));

  const auto lie = std::ranges::find(kKnownLies, *milli, &KnownLie::milli);
  if (lie != kKnownLies.end()) return implausible(fmt::format("{} is {}", *milli, lie->cause));
  const Celsius value = Celsius::from_milli(*milli);
  if (value < kColdest || value > kHottest) {
    return implausible(fmt::format("{} is no temperature of a card", to_string(value)));
  }
  return value;
}

}  // namespace interlock::decide
