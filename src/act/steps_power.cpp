// stop_container and start_container.
#include <chrono>

#include "act/exclusive.h"
#include "act/objection.h"
#include "act/prepare.h"
#include "act/step.h"
#include "act/stopped.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPause = 1s;

Seen started(Run& run, Vmid vmid, const Result<CommandEnd>& call) {
  if (auto why = told_to_stop(run)) return {Seen::How::never, *std::move(why)};
  const bool ended = !call || call->how == CommandEnd::How::exited;
  const auto declared = run.policy.containers.find(vmid);
  const bool units = declared != run.policy.containers.end() && !declared->second.units.empty();
  const auto container = observe::look_at_container(run.host, run.policy, vmid, units);
  if (!container) return {Seen::How::not_yet, container.error().message};
  if (container->running != RunState::running) {
    return {ended ? Seen::How::never : Seen::How::not_yet,
            fmt::format("it is {}", to_string(container->running))};
  }
  if (units && container->units_answer != UnitsAnswer::answered) {
    return {Seen::How::not_yet, "it runs, and its systemd does not answer: " + container->units_error};
  }
  return {Seen::How::so, units ? "it runs, and its systemd answers" : "it runs"};
}

/// Its configuration gives it what the plan says, and nothing else: somebody may have been at it.
std::optional<std::string> other_cards(Run& run, const Step& step) {
  const auto container = observe::look_at_container(run.host, run.policy, *step.container, false);
  if (!container) return container.error().message;
  const std::set<PciAddress> planned(step.cards.begin(), step.cards.end());
  for (const PolicyCard& card : run.policy.cards) {
    if (container->binds(card.pci) == planned.contains(card.pci)) continue;
    return fmt::format("its configuration {} {}, other than planned",
                       container->binds(card.pci) ? "binds" : "does not bind", card.id.text());
  }
  return std::nullopt;
}

}  // namespace

Outcome stop_container(Run& run, const Step& step) {
  const auto call = run.pct.shut_down(*step.container, run.policy.timing.stop);
  Outcome outcome = stays_stopped(run.host, *step.container);
  if (!outcome.done) outcome.seen += fmt::format("; the call said: {}", hint_of(call));
  return outcome;
}

Outcome start_container(Run& run, const Step& step) {
  if (auto why = latched(run, {step.cards.begin(), step.cards.end()})) return failed(*std::move(why));
  if (auto why = other_cards(run, step)) return failed(*std::move(why));
  if (auto why = held_elsewhere(run, *step.container, step.cards)) return failed(*std::move(why));
  const auto call = run.pct.start(*step.container, run.policy.timing.start);
  run.started.insert(*step.container);
  Outcome outcome = seen_within(run.host, run.policy.timing.start, kPause,
                                [&] { return started(run, *step.container, call); });
  if (!outcome.done) {
    outcome.seen += fmt::format("; the call said: {}", hint_of(call));
    return outcome;
  }
  if (auto ready = prepare(run, *step.container); !ready.done) return ready;
  return outcome;
}

}  // namespace interlock::act
