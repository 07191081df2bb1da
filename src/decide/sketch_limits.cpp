#include "decide/sketch_limits.h"

#include <fmt/format.h>

namespace interlock::decide {
namespace {

constexpr Celsius kLowest = Celsius::from_degrees(60);
constexpr Celsius kHighest = Celsius::from_degrees(130);

struct Bound {
  Celsius trip;
  std::string why;
};

void take_lower(std::optional<Bound>& best, Bound bound) {
  if (!best || bound.trip < best->trip) best = std::move(bound);
}

void consider(const NamedCard& card, Channel channel, std::optional<Bound>& best,
              std::vector<Remark>& remarks) {
  const auto& limits = card.found.limits[static_cast<std::size_t>(channel)];
  const std::string whose = fmt::format("{} of {}", to_string(channel), card.id.text());
  if (!limits) {
    const std::string why = card.found.untold.empty() ? "its driver shows none" : card.found.untold;
    remarks.push_back({fmt::format(
        "{} was not seen ({}); while it is required, the card counts as blind without it", whose, why)});
    return;
  }
  const auto& [critical, emergency] = *limits;
  if (is_sane(emergency)) {
    take_lower(
        best,
        {*emergency - Celsius::from_degrees(kBelowEmergency),
         fmt::format("{} C below the emergency limit of {}, {}, where the driver powers the whole host off",
                     kBelowEmergency, card.id.text(), to_string(*emergency))});
  } else {
    remarks.push_back(
        {fmt::format("the emergency limit of {} {}", whose,
                     emergency ? fmt::format("reads {}, which can be none", to_string(*emergency))
                               : std::string("could not be read"))});
  }
  if (is_sane(critical)) {
    take_lower(best, {*critical - Celsius::from_degrees(kBelowCritical),
                      fmt::format("{} C below the critical limit of {}, {}", kBelowCritical, card.id.text(),
                                  to_string(*critical))});
  }
}

}  // namespace

bool is_sane(const std::optional<Celsius>& limit) {
  return limit && *limit >= kLowest && *limit <= kHighest;
}

Noted<Limits> limits_for(Channel channel, const std::vector<NamedCard>& cards, std::vector<Remark>& remarks) {
  std::optional<Bound> best;
  for (const NamedCard& card : cards) consider(card, channel, best, remarks);
  std::string note;
  if (best) {
    note = fmt::format("ours: the trip stands {}. Your cards may need less.", best->why);
  } else {
    best = Bound{Celsius::from_degrees(kTripWithoutLimits), ""};
    note = fmt::format(
        "ours: no card told a limit of its own, so the trip at {} C is low on purpose. Look up your cards'.",
        kTripWithoutLimits);
    remarks.push_back({fmt::format("no card tells a limit of {}: the trip at {} C is ours",
                                   to_string(channel), kTripWithoutLimits)});
  }
  const std::int64_t trip = best->trip.milli() / 1000;  // whole degrees, downward
  return {{.warn = Celsius::from_degrees(trip - kWarnBelowTrip),
           .trip = Celsius::from_degrees(trip),
           .resume = Celsius::from_degrees(trip - kResumeBelowTrip)},
          note};
}

}  // namespace interlock::decide
