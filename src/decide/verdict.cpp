#include "decide/verdict.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "base/text.h"
#include "decide/errno_meaning.h"
#include "decide/verdict_text.h"
#include "policy/quantity.h"

namespace interlock::decide {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kDriver = "amdgpu";
constexpr Celsius kBelowEdge =
    Celsius::from_degrees(15);  // the hot spot is seldom colder than the edge, never by more
constexpr Celsius kJump = Celsius::from_degrees(10);  // a jump is more than this, and
constexpr std::int64_t kFastest = 30;                 // C/s: faster than silicon heats
constexpr Celsius kConfirmsJump = Celsius::from_degrees(5);
constexpr Duration kFrozenAfter = 60s;
constexpr Pid kNobody = 0;
constexpr Duration kLookDeadline = 30s;  // of a command line: a look at a whole host asks slow containers too

Celsius distance(Celsius a, Celsius b) {
  return a < b ? b - a : a - b;
}

Disbelief unreadable(std::string why) {
  return {VerdictKind::unreadable, std::move(why)};
}
Disbelief implausible(std::string why) {
  return {VerdictKind::implausible, std::move(why)};
}

/// Why no channel of this card can be believed.
std::optional<Disbelief> card_disbelief(const PolicyCard& card, const CardSample& sample) {
  if (!sample.present) return unreadable(fmt::format("there is no card at {}", card.pci.text()));
  if (sample.off_the_bus) return unreadable("the card has dropped off its bus: its configuration reads ffff");
  if (!sample.driver.empty() && sample.driver != kDriver) {
    return unreadable(fmt::format("the driver {} has the card", printable(sample.driver)));
  }
  if (!card.unique_id) return std::nullopt;
  if (sample.unique_id.error != 0) {
    return unreadable(
        fmt::format("it cannot be told whether this is the policy's card: its unique_id gives {}",
                    errno_meaning(sample.unique_id.error)));
  }
  const std::string_view unique_id = trimmed(sample.unique_id.text);
  if (unique_id == *card.unique_id) return std::nullopt;
  return unreadable(fmt::format("another card is in the slot: its unique_id is {}, the policy wants {}",
                                unique_id.empty() ? "empty" : printable(unique_id), *card.unique_id));
}

/// Suspended, so that nothing was read, or the read was refused for that reason (11.5: that is cool, and no
/// blindness).
bool asleep(const CardSample& sample, Channel channel) {
  if (sample.runtime != RuntimeStatus::suspended) return false;
  const auto& read = sample.channel(channel);
  if (!read) return true;
  const auto refused = [](const FileRead& file) { return file.error == EPERM || file.error == EBUSY; };
  return refused(read->input) || refused(read->label);
}

/// The channel's temperature as this one sample gives it.
std::expected<Celsius, Disbelief> channel_temperature(const CardSample& sample, Channel channel) {
  const auto& read = sample.channel(channel);
  if (!read) return std::unexpected(unreadable("the card has no such sensor"));
  if (read->label.error != 0) {
    return std::unexpected(unreadable("its label gives " + errno_meaning(read->label.error)));
  }
  if (trimmed(read->label.text) != driver_label(channel)) {
    return std::unexpected(
        implausible(fmt::format("the sensor is labelled '{}', not '{}'", printable(trimmed(read->label.text)),
                                driver_label(channel))));
  }
  const auto value = temperature_of(read->input);
  if (!value || channel != Channel::junction || !sample.edge) return value;
  const auto edge = temperature_of(*sample.edge);  // not required, and believed only where it makes sense
  if (!edge || *value + kBelowEdge >= *edge) return value;
  return std::unexpected(
      implausible(fmt::format("{} is far below the card's edge at {}", to_string(*value), to_string(*edge))));
}

/// No silicon changes so fast.
bool is_jump(const Belief& before, Celsius value, Instant taken_at) {
  const Celsius change = distance(value, before.celsius);
  constexpr std::int64_t kMilliPerSecond = kFastest * 1000;
  return change > kJump &&
         change.milli() * Duration(1s).count() > kMilliPerSecond * (taken_at - before.taken_at).count();
}

/// The energy counter where the card has one: a field that firmware leaves alone reads 0 or all ones.
std::optional<std::uint64_t> energy_of(const CardSample& sample) {
  return sample.energy && *sample.energy != 0 && *sample.energy != UINT64_MAX ? sample.energy : std::nullopt;
}

/// For how long the channel and the energy counter have not moved, though the card is used. A look without
/// the counter says nothing for or against.
Duration standing_still(const CardSample& sample, bool used, Celsius value, ChannelMemory& memory) {
  const auto energy = energy_of(sample);
  const bool energy_moved = energy && memory.still_energy != energy;
  if (!used || memory.still != value || energy_moved) {
    memory.still = value;
    memory.still_since = sample.taken_at;
    memory.still_energy = energy;
  }
  return energy ? sample.taken_at - memory.still_since : Duration::zero();
}

Verdict verdict_of(const Disbelief& disbelief, Instant taken_at) {
  return {disbelief.kind, std::nullopt, taken_at, disbelief.why};
}

/// A plausible value against what the channel said before. `vouched` becomes the jump that it confirms.
Verdict against_history(const CardSample& sample, bool used, Celsius value, ChannelMemory& memory,
                        std::optional<Celsius>& vouched) {
  const auto jump_before = std::exchange(memory.jump, std::nullopt);
  const Duration still = standing_still(sample, used, value, memory);
  if (memory.believed && is_jump(*memory.believed, value, sample.taken_at)) {
    if (!jump_before || distance(*jump_before, value) > kConfirmsJump) {
      memory.jump = value;
      return {VerdictKind::implausible, std::nullopt, sample.taken_at,
              fmt::format("a jump from {} to {}", to_string(memory.believed->celsius), to_string(value))};
    }
    vouched = jump_before;
  }
  if (still >= kFrozenAfter) {
    return {VerdictKind::stale, std::nullopt, sample.taken_at,
            fmt::format("{} for {} s, while the card works and its energy counter stands still",
                        to_string(value), still / 1s)};
  }
  memory.believed = Belief{value, sample.taken_at};
  return {VerdictKind::measured, value, sample.taken_at, {}};
}

Verdict judge_channel(const JudgeContext& context, ChannelMemory& memory, Channel channel,
                      const CardSample& sample, const std::optional<Disbelief>& card_trouble,
                      std::optional<Celsius>& vouched) {
  const auto disbelieve = [&](const Disbelief& disbelief) {
    memory.jump.reset();  // only the very next reading can confirm it
    return verdict_of(disbelief, sample.taken_at);
  };
  if (card_trouble) return disbelieve(*card_trouble);
  if (asleep(sample, channel)) {
    if (context.use.working)
      return disbelieve(unreadable("the card says that it is suspended, while a process works on it"));
    return disbelieve({VerdictKind::parked, "the card is suspended"});
  }
  const auto value = channel_temperature(sample, channel);
  if (!value) return disbelieve(value.error());
  return against_history(sample, context.use.used, *value, memory, vouched);
}

/// The newest verdict, or that its sample is too old. What has grown stale stays so until another sample
/// comes, though the deadline may be set anew.
Verdict aged(ChannelMemory& memory, Duration deadline, Instant now) {
  const Verdict& newest = memory.newest;
  memory.outlived = !newest.blind() && (memory.outlived || now - newest.taken_at >= deadline);
  if (!memory.outlived) return newest;
  return {VerdictKind::stale, std::nullopt, newest.taken_at,
          fmt::format("the last sample is {} old", duration_text(now - newest.taken_at))};
}

bool is_new(const CardMemory& memory, const CardSample& sample, Instant now) {
  return sample.taken_at <= now && (!memory.sampled_at || sample.taken_at > *memory.sampled_at);
}

}  // namespace

Duration sample_deadline(Duration poll) {
  return poll + kReadDeadline;
}

Judgement judge(const JudgeContext& context, CardMemory& memory, const std::optional<CardSample>& sample,
                Instant now) {
  Judgement judgement;
  const bool fresh = sample && is_new(memory, *sample, now);
  std::optional<Disbelief> trouble;
  if (fresh) {
    memory.sampled_at = sample->taken_at;
    memory.absent = !sample->present;
    memory.lent = sample->present && !sample->driver.empty() && sample->driver != kDriver;
    trouble = card_disbelief(context.card, *sample);
  }
  for (const Channel channel : kChannels) {
    if (!context.guard.limits(channel)) continue;
    const auto index = static_cast<std::size_t>(channel);
    ChannelMemory& remembered = memory.channels[index];
    if (fresh) {
      remembered.outlived = false;
      remembered.newest =
          judge_channel(context, remembered, channel, *sample, trouble, judgement.vouched[index]);
    }
    judgement.fresh[index] = fresh;
    judgement.verdicts[index] = aged(remembered, context.deadline, now);
  }
  judgement.absent = memory.absent;
  judgement.lent = memory.lent;
  return judgement;
}

Verdicts judge_alone(const PolicyCard& card, const GuardPolicy& guard, const Card& seen, Instant now) {
  CardMemory memory;
  const JudgeContext context{
      .card = card, .guard = guard, .use = use_of(seen.holders, {}, {}, kNobody), .deadline = kLookDeadline};
  return judge(context, memory, seen.sample, now).verdicts;
}

}  // namespace interlock::decide
