#include "decide/rehearsal.h"

#include <fmt/format.h>

#include <cerrno>

#include "decide/trip.h"
#include "decide/verdict.h"

namespace interlock::decide {
namespace {

constexpr Use kInUse{.held = true, .sheddable = true, .used = true, .working = true};

void befall(ChannelSample& sample, Mishap mishap, Celsius trip) {
  sample.input = mishap == Mishap::hot ? FileRead{.error = 0, .text = fmt::format("{}\n", trip.milli())}
                                       : FileRead{.error = ENOENT, .text = {}};
}

/// The guard's own loop over made-up samples, `after` its first good look.
RehearsedTrip rehearse(const PolicyCard& card, const GuardPolicy& guard, CardSample sample, Channel channel,
                       Mishap mishap) {
  sample.energy.reset();  // it would stand still, and make the other channel look frozen
  CardMemory belief;
  TripMemory trip;
  Duration pace = guard.poll;
  const auto look = [&](Instant now) {
    sample.taken_at = now;
    const JudgeContext context{
        .card = card, .guard = guard, .use = kInUse, .deadline = sample_deadline(pace)};
    const Judgement judgement = judge(context, belief, sample, now);
    const TripOutput output = step(guard, trip, {.judgement = judgement, .use = kInUse}, now);
    pace = output.poll_fast ? guard.poll_warm : guard.poll;
    return output;
  };

  RehearsedTrip rehearsed{.channel = channel, .mishap = mishap, .after = {}, .why = {}};
  const Instant begin = sample.taken_at;
  if (look(begin).trip) {
    rehearsed.after = Duration::zero();
    rehearsed.why = trip.why;
    return rehearsed;
  }
  auto& read = sample.channels[static_cast<std::size_t>(channel)];
  if (!read) read.emplace();  // asleep, it was not read: it wakes
  befall(*read, mishap, guard.limits(channel)->trip);
  Instant now = begin + pace;
  const Instant happened = now;
  while (now - happened <= kRehearsal) {
    const TripOutput output = look(now);
    if (output.trip) {
      rehearsed.after = now - happened;
      rehearsed.why = trip.why;
      break;
    }
    now += pace;
    if (output.due && *output.due < now) now = *output.due;
  }
  return rehearsed;
}

void add_rung(std::vector<RehearsedRung>& rungs, Rung rung, std::string subject, std::string text,
              Duration within) {
  rungs.push_back({.rung = rung, .subject = std::move(subject), .text = std::move(text), .within = within});
}

std::string kill_text(const ShedTarget& target) {
  return target.whole ? fmt::format("kill its cgroup {} whole", target.cgroup)
                      : "kill it by its process descriptor";
}

}  // namespace

std::string_view to_string(Mishap mishap) {
  return mishap == Mishap::hot ? "hot" : "unreadable";
}

std::vector<RehearsedTrip> rehearse_trips(const PolicyCard& card, const GuardPolicy& guard,
                                          const CardSample& sample) {
  std::vector<RehearsedTrip> trips;
  for (const Channel channel : kChannels) {
    if (!guard.limits(channel)) continue;
    for (const Mishap mishap : {Mishap::hot, Mishap::unreadable}) {
      trips.push_back(rehearse(card, guard, sample, channel, mishap));
    }
  }
  return trips;
}

std::vector<RehearsedRung> rehearse_ladder(const GuardPolicy& guard, const std::vector<ShedTarget>& targets,
                                           const std::set<Vmid>& containers) {
  std::vector<RehearsedRung> rungs;
  for (const ShedTarget& target : targets) {
    if (target.whole)
      add_rung(rungs, Rung::freeze, target.text(), fmt::format("freeze its cgroup {}", target.cgroup),
               guard.shed.freeze);
  }
  for (const ShedTarget& target : targets) {
    if (target.kind != ShedTarget::Kind::unit) continue;
    const std::string whose =
        target.container ? fmt::format("the systemd of container {}", target.container->text()) : "systemd";
    add_rung(rungs, Rung::stop_unit, target.text(),
             fmt::format("ask {} to stop {}, and thaw it", whose, target.unit->text()), guard.shed.stop);
  }
  for (const ShedTarget& target : targets) {
    if (target.kind == ShedTarget::Kind::container) continue;
    add_rung(rungs, Rung::kill, target.text(), kill_text(target), guard.shed.kill);
  }
  for (const Vmid vmid : containers)
    add_rung(rungs, Rung::stop_container, vmid.text(), fmt::format("pct stop {}", vmid.text()),
             guard.shed.container);
  for (const Vmid vmid : containers)
    add_rung(rungs, Rung::kill_container, vmid.text(), "kill its cgroup whole", guard.shed.kill);
  const bool off = guard.last_resort == LastResort::poweroff;
  add_rung(rungs, Rung::last_resort, "host",
           off ? "power the host off, if the card is still hot" : "none: the policy has no last resort",
           Duration::zero());
  return rungs;
}

}  // namespace interlock::decide
