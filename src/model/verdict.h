// What we believe of a channel at one instant (design, section 4).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "base/units.h"
#include "model/sample.h"

namespace interlock {

enum class VerdictKind : std::uint8_t { measured, parked, stale, implausible, unreadable };
std::string_view to_string(VerdictKind kind);
std::optional<VerdictKind> verdict_kind(std::string_view word);

struct Verdict {
  VerdictKind kind = VerdictKind::unreadable;
  std::optional<Celsius> celsius;  // set exactly when measured
  Instant taken_at{};              // when the sample was taken
  std::string why;                 // for a person; empty when measured

  bool blind() const { return kind != VerdictKind::measured && kind != VerdictKind::parked; }
  bool operator==(const Verdict&) const = default;
};

using Verdicts = std::array<std::optional<Verdict>, 2>;  // by Channel; nothing where the policy requires none

/// The trip machine's state of one card (design, sections 4 and 11.12).
enum class GuardState : std::uint8_t { guarding, warning, tripped, latched, blind, absent, lent };
std::string_view to_string(GuardState state);
std::optional<GuardState> guard_state(std::string_view word);

enum class TripReason : std::uint8_t { over_temperature, blind };
std::string_view to_string(TripReason reason);  // "over-temperature", "blind"

}  // namespace interlock
