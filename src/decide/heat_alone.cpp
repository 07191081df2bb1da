#include "decide/heat_alone.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace interlock::decide {
namespace {

constexpr Duration kJustEmptied = std::chrono::seconds(2);  // such a card is still hot

Temperatures measured(const Verdicts& verdicts) {
  Temperatures found;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (verdicts[i]) found[i] = verdicts[i]->celsius;
  }
  return found;
}

bool is_at_trip(const GuardPolicy& guard, const Temperatures& now) {
  return std::ranges::any_of(kChannels, [&](Channel channel) {
    const auto& limits = guard.limits(channel);
    const auto& celsius = now[static_cast<std::size_t>(channel)];
    return limits && celsius && *celsius >= limits->trip;
  });
}

}  // namespace

bool stays_hot(const GuardPolicy& guard, const Temperatures& before, const Verdicts& now) {
  return std::ranges::any_of(kChannels, [&](Channel channel) {
    const auto index = static_cast<std::size_t>(channel);
    const auto& limits = guard.limits(channel);
    if (!limits) return false;
    const auto& verdict = now[index];
    if (!verdict || verdict->blind()) return true;
    const auto& celsius = verdict->celsius;
    return celsius && *celsius >= limits->trip && (!before[index] || *celsius >= *before[index]);
  });
}

HeatAlone::Due HeatAlone::look(const GuardPolicy& guard, const Verdicts& verdicts, bool alone, Instant now) {
  const Temperatures celsius = measured(verdicts);
  if (!alone || !is_at_trip(guard, celsius)) {
    *this = {};
    return {};
  }
  if (!since_) {
    since_ = now;
    before_ = celsius;
  }
  Due due;
  if (now - *since_ >= kJustEmptied) due.alarm = !std::exchange(told_, true);
  if (now - *since_ < guard.shed.stop) return due;
  due.containers = stays_hot(guard, before_, verdicts);
  since_ = now;
  before_ = celsius;
  return due;
}

}  // namespace interlock::decide
