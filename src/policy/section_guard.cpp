#include <fmt/format.h>

#include "policy/quantity.h"
#include "policy/sections.h"

namespace interlock {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kHottestLimit = 130;  // C: no card is specified to work beyond it
constexpr Bytes kLargestFloor = 64 * 1024 * kMiB;

auto duration(Duration low, Duration high) {
  return [low, high](const Entry& entry) { return entry.duration(low, high); };
}
auto number(int low, int high) {
  return [low, high](const Entry& entry) -> std::optional<int> {
    const auto value = entry.number(low, high);
    if (!value) return std::nullopt;
    return static_cast<int>(*value);
  };
}
std::optional<Bytes> floor_size(const Entry& entry) {
  return entry.size(kLargestFloor);
}

std::optional<Celsius> degrees(const Fields& fields, std::string_view key) {
  const Entry* entry = fields.need(key);
  const auto value = entry != nullptr ? entry->number(1, kHottestLimit) : std::nullopt;
  if (!value) return std::nullopt;
  return Celsius::from_degrees(*value);
}

std::optional<Limits> read_limits(const Entry& entry) {
  const auto fields = entry.fields({"warn", "trip", "resume"});
  if (!fields) return std::nullopt;
  const auto warn = degrees(*fields, "warn");
  const auto trip = degrees(*fields, "trip");
  const auto resume = degrees(*fields, "resume");
  if (!warn || !trip || !resume) return std::nullopt;
  if (*resume < *warn && *warn < *trip) return Limits{.warn = *warn, .trip = *trip, .resume = *resume};
  entry.reject(fmt::format("resume < warn < trip is wanted, but they are {}, {} and {}", to_string(*resume),
                           to_string(*warn), to_string(*trip)));
  return std::nullopt;
}

void read_channels(const Entry& entry, GuardPolicy& guard) {
  const auto fields = entry.fields({"junction", "memory"});
  if (!fields) return;
  for (const Channel channel : kChannels) {
    fields->take(to_string(channel), guard.channels[static_cast<std::size_t>(channel)], read_limits);
  }
  if (fields->find("junction") == nullptr && fields->find("memory") == nullptr) {
    entry.reject("no channel is named, so no temperature would be guarded; known: junction, memory");
  }
}

void read_shed(const Entry& entry, ShedTimes& shed) {
  const auto fields = entry.fields({"freeze", "stop", "kill", "container"});
  if (!fields) return;
  fields->take("freeze", shed.freeze, duration(10ms, 10s));
  fields->take("stop", shed.stop, duration(1s, 10min));
  fields->take("kill", shed.kill, duration(100ms, 1min));
  fields->take("container", shed.container, duration(1s, 10min));
}

void read_cool(const Entry& entry, Draft& draft) {
  const auto members = entry.members();
  if (!members) return;
  for (const Member& member : *members) {
    const PolicyCard* card = read_card_name(member.value, member.key, draft);
    auto commands = read_commands(member.value);
    if (card != nullptr && commands) draft.policy.guard.cool[card->id] = *std::move(commands);
  }
}

/// Times that are each possible, but not together.
void check_times(const Fields& fields, const GuardPolicy& guard) {
  const Entry* warm = fields.find("poll_warm") != nullptr ? fields.find("poll_warm") : fields.find("poll");
  if (guard.poll_warm > guard.poll && warm != nullptr) {
    warm->reject(
        fmt::format("poll_warm is {} and poll {}: a warm card would be looked at less often than a cool one",
                    duration_text(guard.poll_warm), duration_text(guard.poll)));
  }
  if (guard.blind_grace >= guard.shortest_grace()) return;
  for (const std::string_view key : {"blind_grace", "poll_warm", "confirm"}) {
    if (const Entry* entry = fields.find(key)) {
      entry->reject(
          fmt::format("blind_grace is {}, but with poll_warm {} and confirm {} it takes {} to tell a glitch "
                      "from blindness",
                      duration_text(guard.blind_grace), duration_text(guard.poll_warm), guard.confirm,
                      duration_text(guard.shortest_grace())));
      return;
    }
  }
}

}  // namespace

void read_guard(const Entry& section, Draft& draft) {
  const auto fields =
      section.fields({"poll", "poll_warm", "channels", "confirm", "blind_grace", "slew", "shed",
                      "idle_memory", "idle_floor", "cool", "latch", "last_resort", "notify"});
  if (!fields) return;
  GuardPolicy& guard = draft.policy.guard;
  fields->take("poll", guard.poll, duration(50ms, 10s));
  fields->take("poll_warm", guard.poll_warm, duration(20ms, 2s));
  fields->take("confirm", guard.confirm, number(1, 10));
  fields->take("blind_grace", guard.blind_grace, duration(100ms, 1min));
  fields->take("slew", guard.slew, number(1, 30));
  fields->take("idle_memory", guard.idle_memory, floor_size);
  fields->take("idle_floor", guard.idle_floor, floor_size);
  fields->take("latch", guard.latch, [](const Entry& entry) {
    return entry.choice<LatchMode>(
        {{"until-reset", LatchMode::until_reset}, {"until-cool", LatchMode::until_cool}});
  });
  fields->take("last_resort", guard.last_resort, [](const Entry& entry) {
    return entry.choice<LastResort>({{"none", LastResort::none}, {"poweroff", LastResort::poweroff}});
  });
  fields->take("notify", guard.notify, read_commands);
  if (const Entry* channels = fields->need("channels")) read_channels(*channels, guard);
  if (const Entry* shed = fields->find("shed")) read_shed(*shed, guard.shed);
  if (const Entry* cool = fields->find("cool")) read_cool(*cool, draft);
  check_times(*fields, guard);
}

void read_timing(const Entry& section, Draft& draft) {
  const auto fields = section.fields({"command", "stop", "start", "serve", "settle"});
  if (!fields) return;
  Timing& timing = draft.policy.timing;
  fields->take("command", timing.command, duration(1s, 10min));
  fields->take("stop", timing.stop, duration(1s, 1h));
  fields->take("start", timing.start, duration(1s, 1h));
  fields->take("serve", timing.serve, duration(1s, 24h));
  fields->take("settle", timing.settle, duration(0s, 1h));
}

}  // namespace interlock
