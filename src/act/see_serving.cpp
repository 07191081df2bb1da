// see_serving: the unit is active, its processes use every card that it is to have, it is healthy, and it
// stays so for a while without a restart (U10, U11, S10).
#include <algorithm>
#include <chrono>

#include "act/health.h"
#include "act/objection.h"
#include "act/step.h"
#include "base/text.h"
#include "observe/holders.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPause = 1s;      // between two looks at the processes, which cost little
constexpr Duration kAskEvery = 15s;  // between two questions to its systemd, which cost a second of CPU

using Users = std::map<PciAddress, std::vector<ProcessId>>;

/// One unit on its way to serving.
class Watch {
 public:
  Watch(Run& run, const Step& step) : run_(run), step_(step) {}

  /// It works on every card, and its systemd calls it active.
  Seen serves();
  /// The same processes are still at it.
  Seen stays();
  /// Asked at the end of the wait: active, and never restarted since serves() said yes.
  Seen unbroken();
  std::string summary() const;

 private:
  /// Its processes that use each card, or what is missing.
  std::optional<std::string> find_users(Users& users);
  Seen ask(Unit& unit);

  Run& run_;
  const Step& step_;
  Users users_;
  std::vector<Holder> before_;
  std::optional<std::uint32_t> restarts_;
  std::optional<Instant> asked_at_;
};

std::optional<std::string> Watch::find_users(Users& users) {
  auto found = observe::find_holders(run_.host, observe::card_nodes(run_.host), run_.policy.guard.idle_memory,
                                     std::set{*step_.container});
  if (!found) return found.error().message;
  observe::engine_growth(found->holders, before_);
  before_ = found->holders;
  for (const Holder& holder : found->holders) {
    const bool ours = holder.place.container == step_.container && holder.place.unit == step_.unit;
    if (ours && holder.uses == Truth::yes) users[holder.card].push_back(holder.process);
  }
  for (const PciAddress& card : step_.cards) {
    if (!users.contains(card)) return fmt::format("no process of it uses {}", run_.policy.card_name(card));
  }
  return std::nullopt;
}

Seen Watch::ask(Unit& unit) {
  asked_at_ = run_.host.now();
  const auto container = observe::look_at_container(run_.host, run_.policy, *step_.container, true);
  if (!container) return {Seen::How::not_yet, container.error().message};
  if (container->running != RunState::running)
    return {Seen::How::never, "its container does not run any more"};
  const Unit* answer = container->unit(*step_.unit);
  if (container->units_answer != UnitsAnswer::answered || answer == nullptr) {
    return {Seen::How::not_yet, "its systemd does not answer: " + container->units_error};
  }
  unit = *answer;
  const std::string said = fmt::format("it is {} ({})", to_string(unit.active), printable(unit.sub));
  if (unit.active == ActiveState::active || unit.active == ActiveState::reloading)
    return {Seen::How::so, said};
  // A forking service that never says that it is up serves all the same (U10); one between two restarts does
  // not.
  if (unit.active == ActiveState::activating) {
    return {unit.sub.starts_with("start") ? Seen::How::so : Seen::How::not_yet, said};
  }
  if (unit.active == ActiveState::deactivating || unit.active == ActiveState::unknown)
    return {Seen::How::not_yet, said};
  return {Seen::How::never, said};
}

Seen Watch::serves() {
  if (auto why = objection(run_)) return {Seen::How::never, *std::move(why)};
  Users users;
  const auto missing = find_users(users);
  const bool due = !asked_at_ || run_.host.now() - *asked_at_ >= kAskEvery;
  if (missing && !due) return {Seen::How::not_yet, *missing};
  Unit unit{*step_.unit, {}, {}, {}, {}, {}, {}};
  Seen asked = ask(unit);
  if (asked.how == Seen::How::never) return asked;
  if (missing) return {Seen::How::not_yet, fmt::format("{}; {}", *missing, asked.text)};
  if (asked.how == Seen::How::so) {
    users_ = std::move(users);
    restarts_ = unit.restarts;
  }
  return asked;
}

Seen Watch::stays() {
  if (auto why = objection(run_)) return {Seen::How::never, *std::move(why)};
  Users users;
  if (auto missing = find_users(users)) return {Seen::How::never, *std::move(missing)};
  for (const PciAddress& card : step_.cards) {
    const bool same = std::ranges::any_of(users_[card], [&](const ProcessId& process) {
      return std::ranges::find(users[card], process) != users[card].end();
    });
    if (!same)
      return {Seen::How::never,
              fmt::format("it was restarted: another process uses {} now", run_.policy.card_name(card))};
  }
  return {Seen::How::not_yet, {}};
}

Seen Watch::unbroken() {
  Unit unit{*step_.unit, {}, {}, {}, {}, {}, {}};
  Seen asked = ask(unit);
  if (asked.how != Seen::How::so) return {Seen::How::never, asked.text};
  if (unit.restarts != restarts_) return {Seen::How::never, "it was restarted: it does not stay up"};
  return asked;
}

std::string Watch::summary() const {
  std::vector<std::string> parts;
  for (const PciAddress& card : step_.cards) {
    parts.push_back(fmt::format("{} by pid {}", run_.policy.card_name(card), users_.at(card).front().pid));
  }
  return parts.empty() ? "it runs" : "it serves: " + joined(parts, ", ");
}

}  // namespace

Outcome see_serving(Run& run, const Step& step) {
  Watch watch(run, step);
  Outcome up = seen_within(run.host, run.policy.timing.serve, kPause, [&] { return watch.serves(); });
  if (!up.done) return up;
  Outcome healthy = become_healthy(run, *step.container, [&] { return objection(run); });
  if (!healthy.done) return healthy;
  const Instant end = run.host.now() + run.policy.timing.settle;
  while (run.host.now() < end) {
    run.host.wait(std::min<Duration>(kPause, end - run.host.now()));
    if (Seen seen = watch.stays(); seen.how == Seen::How::never) return failed(std::move(seen.text));
  }
  if (Seen seen = watch.unbroken(); seen.how != Seen::How::so) return failed(std::move(seen.text));
  return done(watch.summary());
}

}  // namespace interlock::act
