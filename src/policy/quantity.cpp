#include "policy/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/text.h"

namespace interlock {
namespace {

using namespace std::chrono_literals;

template <class Unit, std::size_t N>
using Suffixes = std::array<std::pair<std::string_view, Unit>, N>;

constexpr Suffixes<Duration, 4> kTimes{{{"ms", 1ms}, {"s", 1s}, {"m", 1min}, {"h", 1h}}};
constexpr Suffixes<Bytes, 3> kSizes{{{"KiB", kKiB}, {"MiB", kMiB}, {"GiB", 1024 * kMiB}}};

/// The digits before `text`'s unit, and that unit; nothing where it has no digits first or no known unit.
template <class Unit, std::size_t N>
std::optional<std::pair<std::uint64_t, Unit>> number_and_unit(std::string_view text,
                                                              const Suffixes<Unit, N>& units) {
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_number<std::uint64_t>(text.substr(0, digits));
  const auto unit = std::ranges::find(units, text.substr(digits), &std::pair<std::string_view, Unit>::first);
  if (!number || unit == units.end()) return std::nullopt;
  return std::pair{*number, unit->second};
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  const auto found = number_and_unit(text, kTimes);
  if (!found) return std::nullopt;
  const auto [number, unit] = *found;
  if (number > static_cast<std::uint64_t>(Duration::max().count() / unit.count())) return std::nullopt;
  return unit * static_cast<Duration::rep>(number);
}

std::optional<Bytes> parse_size(std::string_view text) {
  const auto found = number_and_unit(text, kSizes);
  if (!found || found->first > std::numeric_limits<Bytes>::max() / found->second) return std::nullopt;
  return found->first * found->second;
}

std::string duration_text(Duration duration) {
  for (auto unit = kTimes.rbegin(); unit != kTimes.rend(); ++unit) {
    if (duration != Duration::zero() && duration % unit->second == Duration::zero()) {
      return fmt::format("{}{}", duration / unit->second, unit->first);
    }
  }
  return fmt::format("{}ms", duration / 1ms);
}

}  // namespace interlock
