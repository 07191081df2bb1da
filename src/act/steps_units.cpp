// retire_unit, start_unit, enable_unit: what is asked of a container's systemd, and what it says afterwards
// (I2).
#include <chrono>

#include "act/latch_file.h"
#include "act/prepare.h"
#include "act/step.h"
#include "base/text.h"
#include "decide/plan_change.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPause = 2s;      // each question is a pct of its own, a second of CPU (pct.md, 1.0)
constexpr Duration kDispatch = 10s;  // from a job in systemd's queue to a unit on its way

std::string words_of(const Unit& unit) {
  return fmt::format("{} ({}) and {}", to_string(unit.active), unit.sub.empty() ? "-" : printable(unit.sub),
                     to_string(unit.file));
}

bool ended(const Result<CommandEnd>& call) {
  return !call || call->how == CommandEnd::How::exited;
}

/// The unit's own word, or why there is none.
Seen ask(Run& run, const Step& step, const std::function<Seen(const Unit&)>& judge) {
  const auto container = observe::look_at_container(run.host, run.policy, *step.container, true);
  if (!container) return {Seen::How::not_yet, container.error().message};
  if (container->running != RunState::running) {
    return {Seen::How::never,
            fmt::format("container {} is {}", step.container->text(), to_string(container->running))};
  }
  const Unit* unit = container->unit(*step.unit);
  if (container->units_answer != UnitsAnswer::answered || unit == nullptr) {
    return {Seen::How::not_yet,
            fmt::format("{} gives no answer: {}", step.subject(), container->units_error)};
  }
  return judge(*unit);
}

/// The verification's word; the call's own beside it when that went wrong.
Outcome with_hint(Outcome outcome, const Result<CommandEnd>& call) {
  if (!outcome.done && !(call && call->success()))
    outcome.seen += fmt::format("; the call said: {}", hint_of(call));
  return outcome;
}

Seen retired(const Unit& unit, bool call_ended) {
  const std::string said =
      unit.load == LoadState::not_found ? "no such unit, which counts as retired" : words_of(unit);
  if (is_retired(unit) == Truth::yes) return {Seen::How::so, said};
  const bool moves = unit.active == ActiveState::deactivating || unit.active == ActiveState::activating ||
                     unit.active == ActiveState::reloading || is_retired(unit) == Truth::unknown;
  const std::string starters =
      unit.started_by.empty() ? ""
                              : fmt::format(", and {} would start it again", joined(unit.started_by, ", "));
  return {moves || !call_ended ? Seen::How::not_yet : Seen::How::never,
          fmt::format("it is {}{}", said, starters)};
}

/// Nothing is started on a latched card.
std::optional<std::string> latched(Run& run, Vmid vmid) {
  const auto container = observe::look_at_container(run.host, run.policy, vmid, false);
  if (!container) return container.error().message;
  return latched(run, container->cards());
}

}  // namespace

std::optional<std::string> latched(Run& run, const std::set<PciAddress>& cards) {
  for (const PciAddress& card : cards) {
    const auto latch = read_latch(run.host, card);
    if (!latch) continue;
    const std::string name = run.policy.card_name(card);
    return fmt::format("{} is latched, and nothing is started on it: {} (`gpu-interlock reset {}`)", name,
                       latch->why, name);
  }
  return std::nullopt;
}

Outcome retire_unit(Run& run, const Step& step) {
  if (run.started.contains(*step.container)) {
    const Seen now = ask(run, step, [](const Unit& unit) { return retired(unit, true); });
    if (now.how == Seen::How::so) return done(now.text);
  }
  const auto call =
      run.pct.systemctl(*step.container, {"disable", "--now", step.unit->text()}, run.policy.timing.stop);
  const auto look = [&] {
    return ask(run, step, [&](const Unit& unit) { return retired(unit, ended(call)); });
  };
  return with_hint(seen_within(run.host, run.policy.timing.stop, kPause, look), call);
}

Outcome start_unit(Run& run, const Step& step) {
  if (auto why = latched(run, *step.container)) return failed(*std::move(why));
  if (auto ready = prepare(run, *step.container); !ready.done) return ready;
  // Without waiting: a large model takes minutes, in which the guard must be heard.
  const auto call = run.pct.systemctl(*step.container, {"start", "--no-block", step.unit->text()},
                                      run.policy.timing.command);
  const auto look = [&] {
    return ask(run, step, [](const Unit& unit) {
      const bool live = is_live(unit) == Truth::yes && unit.active != ActiveState::deactivating;
      return Seen{live ? Seen::How::so : Seen::How::not_yet, fmt::format("it is {}", words_of(unit))};
    });
  };
  return with_hint(seen_within(run.host, kDispatch, kPause, look), call);
}

Outcome enable_unit(Run& run, const Step& step) {
  const auto call =
      run.pct.systemctl(*step.container, {"enable", step.unit->text()}, run.policy.timing.command);
  const auto look = [&] {
    return ask(run, step, [&](const Unit& unit) {
      if (decide::is_enabled(unit)) return Seen{Seen::How::so, words_of(unit)};
      return Seen{ended(call) ? Seen::How::never : Seen::How::not_yet,
                  fmt::format("it is {}", words_of(unit))};
    });
  };
  return with_hint(seen_within(run.host, kDispatch, kPause, look), call);
}

}  // namespace interlock::act
