#include "decide/trip.h"

#include <fmt/format.h>

#include <algorithm>

#include "policy/quantity.h"

namespace interlock::decide {
namespace {

using namespace std::chrono_literals;

/// One required channel in one step.
struct Look {
  Channel channel;
  const Limits& limits;
  ChannelTrip& memory;
  const std::optional<Verdict>& verdict;  // nothing: the judge had none, which is blind
  bool fresh;
  std::optional<Celsius> vouched;

  bool blind() const { return !verdict || verdict->blind(); }
  std::optional<Celsius> celsius() const { return verdict ? verdict->celsius : std::nullopt; }
};

std::vector<Look> looks_of(const GuardPolicy& guard, TripMemory& memory, const Judgement& judgement) {
  std::vector<Look> looks;
  for (const Channel channel : kChannels) {
    const auto index = static_cast<std::size_t>(channel);
    const auto& limits = guard.limits(channel);
    if (!limits) continue;
    looks.push_back({channel, *limits, memory.channels[index], judgement.verdicts[index],
                     judgement.fresh[index], judgement.vouched[index]});
  }
  return looks;
}

/// Heat counts sample by sample; a believed one below the trip begins anew, as does parking.
void count_heat(Look& look) {
  int& count = look.memory.hot_in_a_row;
  if (look.verdict && look.verdict->kind == VerdictKind::parked) count = 0;
  const auto celsius = look.celsius();
  if (!look.fresh || !celsius) return;
  if (look.vouched) count = *look.vouched >= look.limits.trip ? count + 1 : 0;
  count = *celsius >= look.limits.trip ? count + 1 : 0;
}

void remember_belief(Look& look, Instant now) {
  ChannelTrip& memory = look.memory;
  const bool was_parked = memory.parked;
  memory.parked = look.verdict && look.verdict->kind == VerdictKind::parked;
  if (look.verdict && look.verdict->celsius) {
    memory.last_good = look.verdict->celsius;
    memory.trusted_at = look.verdict->taken_at;
  } else if (memory.parked) {
    memory.last_good.reset();
    memory.trusted_at = now;
  } else if (was_parked) {
    memory.trusted_at = now;  // it woke up some time since the last look: the whole grace from here (11.5)
  }
}

/// When the grace of a blind channel runs out. It begins with the last belief, but never before there was a
/// holder.
Instant grace_end(const GuardPolicy& guard, const Look& look, Instant held_since) {
  const Instant begin = std::max(look.memory.trusted_at.value_or(held_since), held_since);
  return begin + blind_grace(guard, look.channel, look.memory.last_good);
}

std::string heat_text(const GuardPolicy& guard, const Look& look, Celsius celsius) {
  const std::string reached = fmt::format("{} {}, at or above {}", to_string(look.channel),
                                          to_string(celsius), to_string(look.limits.trip));
  return guard.confirm == 1 ? reached
                            : fmt::format("{}, {} times in a row", reached, look.memory.hot_in_a_row);
}

std::string blind_text(const GuardPolicy& guard, const Look& look) {
  const auto& last = look.memory.last_good;
  return fmt::format("{} without a believable reading for {}, {}: {}", to_string(look.channel),
                     duration_text(blind_grace(guard, look.channel, last)),
                     last ? "last seen at " + to_string(*last) : "never seen before",
                     look.verdict ? look.verdict->why : "it was not judged");
}

struct Cause {
  TripReason reason;
  std::string why;
};

std::optional<Cause> cause_to_trip(const GuardPolicy& guard, const std::vector<Look>& looks,
                                   std::optional<Instant> held_since, Instant now) {
  for (const Look& look : looks) {
    const auto celsius = look.celsius();
    if (celsius && look.memory.hot_in_a_row >= guard.confirm) {
      return Cause{TripReason::over_temperature, heat_text(guard, look, *celsius)};
    }
  }
  if (!held_since) return std::nullopt;
  for (const Look& look : looks) {
    if (look.blind() && now >= grace_end(guard, look, *held_since)) {
      return Cause{TripReason::blind, blind_text(guard, look)};
    }
  }
  return std::nullopt;
}

bool is_cool(const std::vector<Look>& looks) {
  return std::ranges::all_of(looks, [](const Look& look) {
    return !look.blind() && (!look.celsius() || *look.celsius() < look.limits.resume);
  });
}

bool is_at_warn(const std::vector<Look>& looks) {
  return std::ranges::any_of(
      looks, [](const Look& look) { return look.celsius() && *look.celsius() >= look.limits.warn; });
}

bool is_blind(const std::vector<Look>& looks) {
  return std::ranges::any_of(looks, &Look::blind);
}

/// At the slow pace one glitch could eat up the grace of a channel so near its trip.
bool needs_fast_poll(const GuardPolicy& guard, const std::vector<Look>& looks) {
  return std::ranges::any_of(looks, [&](const Look& look) {
    return blind_grace(guard, look.channel, look.memory.last_good) <
           guard.poll + guard.poll_warm + 2 * kReadDeadline;
  });
}

GuardState state_of(const TripMemory& memory, const TripInput& input, bool blind) {
  if (memory.latched) return input.use.sheddable ? GuardState::tripped : GuardState::latched;
  if (input.judgement.absent && !input.use.held) return GuardState::absent;
  if (input.judgement.lent && !input.use.held) return GuardState::lent;
  if (blind) return GuardState::blind;
  return memory.warm ? GuardState::warning : GuardState::guarding;
}

}  // namespace

Duration blind_grace(const GuardPolicy& guard, Channel channel, std::optional<Celsius> last_good) {
  Duration grace = guard.blind_grace;
  const auto& limits = guard.limits(channel);
  if (last_good && limits) {
    const std::int64_t margin = std::max<std::int64_t>((limits->trip - *last_good).milli(), 0);
    grace = std::min<Duration>(grace, std::chrono::milliseconds(margin) / guard.slew);
  }
  return std::max(grace, guard.shortest_grace());
}

TripOutput step(const GuardPolicy& guard, TripMemory& memory, const TripInput& input, Instant now) {
  TripOutput output;
  if (!input.use.held) {
    memory.held_since.reset();
  } else if (!memory.held_since) {
    memory.held_since = now;
  }
  std::vector<Look> looks = looks_of(guard, memory, input.judgement);
  for (Look& look : looks) {
    count_heat(look);
    remember_belief(look, now);
  }
  const bool blind = is_blind(looks);
  const bool cool = is_cool(looks);

  const auto cause = memory.latched ? std::nullopt : cause_to_trip(guard, looks, memory.held_since, now);
  if (cause) {
    output.trip = memory.latched = true;
    memory.reason = cause->reason;
    memory.why = cause->why;
  } else if (memory.latched && guard.latch == LatchMode::until_cool && cool && !input.use.sheddable) {
    output.resume = true;
    unlatch(memory);
  }

  const bool was_warm = memory.warm;
  memory.warm = is_at_warn(looks) || (was_warm && !cool);
  output.cool = memory.warm && !was_warm;
  output.shed = memory.latched && input.use.sheddable;
  memory.state = state_of(memory, input, blind);
  output.poll_fast =
      memory.warm || output.shed || (input.use.held && (blind || needs_fast_poll(guard, looks)));
  if (blind && memory.held_since && !memory.latched) {
    for (const Look& look : looks) {
      if (!look.blind()) continue;
      const Instant end = grace_end(guard, look, *memory.held_since);
      output.due = std::min(output.due.value_or(end), end);
    }
  }
  return output;
}

std::optional<std::string> reset_refusal(const GuardPolicy& guard, const Verdicts& verdicts) {
  for (const Channel channel : kChannels) {
    const auto& limits = guard.limits(channel);
    if (!limits) continue;
    const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
    if (!verdict) return fmt::format("{} was not judged", to_string(channel));
    if (verdict->blind()) {
      return fmt::format("{} is {}: {}", to_string(channel), to_string(verdict->kind), verdict->why);
    }
    if (verdict->celsius && *verdict->celsius >= limits->resume) {
      return fmt::format("{} is at {}, and must be below {} first", to_string(channel),
                         to_string(*verdict->celsius), to_string(limits->resume));
    }
  }
  return std::nullopt;
}

void unlatch(TripMemory& memory) {
  memory.latched = false;
  memory.reason.reset();
  memory.why.clear();
  for (ChannelTrip& channel : memory.channels) channel.hot_in_a_row = 0;
}

}  // namespace interlock::decide
