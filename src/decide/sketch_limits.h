// Limits for cards that somebody has only just put in: a safe distance below the cards' own. Pure.
#pragma once

#include <optional>
#include <vector>

#include "model/found_card.h"
#include "model/sample.h"
#include "policy/remark.h"
#include "policy/sketch.h"

namespace interlock::decide {

/// The trip stands so far below what the driver powers the host off at, and below what it calls critical.
inline constexpr int kBelowEmergency =
    8;  // C: confirming takes about 2 (GuardPolicy), the rest is for the load to go
inline constexpr int kBelowCritical = 3;
/// Where the cards give no limit: below every limit that an amdgpu card is known to have (amdgpu.md 1.4).
inline constexpr int kTripWithoutLimits = 90;
inline constexpr int kWarnBelowTrip = 7;
inline constexpr int kResumeBelowTrip = 17;

struct NamedCard {
  CardId id;
  FoundCard found;
};

/// Of the card that is the first to get too hot. What a card does not tell is a remark.
Noted<Limits> limits_for(Channel channel, const std::vector<NamedCard>& cards, std::vector<Remark>& remarks);

/// A limit that can be one: a driver gives 0 where it knows none.
bool is_sane(const std::optional<Celsius>& limit);

}  // namespace interlock::decide
