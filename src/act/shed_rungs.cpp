#include "act/shed_rungs.h"

#include <algorithm>
#include <chrono>
#include <csignal>

#include "act/freeze.h"
#include "base/text.h"
#include "host/paths.h"
#include "observe/holders.h"

namespace interlock::act {
namespace {

using namespace std::chrono_literals;
using decide::ShedTarget;

constexpr Duration kAfterThaw = 1s;  // what still computes, or is still hot then, is not stopping (11.7)
constexpr Duration kFreezePause = 10ms;

bool sees(const std::vector<Holder>& holders, const std::vector<ProcessId>& processes) {
  return std::ranges::any_of(holders, [&](const Holder& holder) {
    return std::ranges::find(processes, holder.process) != processes.end();
  });
}

/// Someone is working on the card, by the time of its engines.
bool computes(std::vector<Holder> now, const std::vector<Holder>& before) {
  for (Holder& holder : now) holder.uses = Truth::no;
  observe::engine_growth(now, before);
  return std::ranges::any_of(now, [](const Holder& holder) { return holder.uses == Truth::yes; });
}

/// Where a process may be killed by its cgroup when it cannot be signalled: never what holds a whole system
/// up.
bool may_kill_by_cgroup(const std::string& cgroup) {
  const std::string name = cgroup.substr(cgroup.rfind('/') + 1);
  return !name.empty() && name != "ns" && name != "init.scope" && !name.ends_with(".slice") &&
         cgroup.find('/', 1) != std::string::npos;
}

}  // namespace

void Ladder::say(Rung rung, std::string subject, std::string text) {
  report_.events.push_back({rung, std::move(subject), std::move(text), seen_.empty()});
  progress_(report_.events.back());
}

void Ladder::see(Rung rung, Instant end) {
  seen_ = look_until_empty(host_, policy_, card_.pci, end);
  say(rung, card_.id.text(), seen_.empty() ? "no holder is left" : "still held by " + seen_.text());
}

void Ladder::climb(Rung rung) {
  switch (rung) {
    case Rung::freeze:
      return freeze_holders();
    case Rung::stop_unit:
      return stop_units();
    case Rung::kill:
      return kill_holders();
    case Rung::stop_container:
      return stop_containers();
    case Rung::kill_container:
      return kill_containers();
    case Rung::last_resort:
      return last_resort();
  }
}

void Ladder::freeze_holders() {
  const Instant end = host_.now() + policy_.guard.shed.freeze;
  const auto targets = seen_.targets();
  freeze_now(host_, card_.pci, targets);
  for (const ShedTarget& target : targets) {
    if (!target.whole) continue;
    auto frozen = is_frozen(host_, target.cgroup);
    while (frozen && !*frozen && host_.now() < end) {
      host_.wait(kFreezePause);
      frozen = is_frozen(host_, target.cgroup);
    }
    say(Rung::freeze, target.text(),
        !frozen   ? frozen.error().message
        : *frozen ? "frozen"
                  : fmt::format("not frozen within {} ms", policy_.guard.shed.freeze / 1ms));
  }
}

void Ladder::thaw_target(const ShedTarget& target) {
  const auto thawed = thaw(host_, target.cgroup);
  if (!thawed) say(Rung::stop_unit, target.text(), "not thawed: " + thawed.error().message);
}

void Ladder::ask_to_stop(std::optional<Vmid> container, const std::vector<const ShedTarget*>& units,
                         Instant end) {
  std::vector<std::string> arguments{"stop", "--no-block"};
  std::vector<std::string> names;
  for (const ShedTarget* target : units) names.push_back(target->unit->text());
  arguments.insert(arguments.end(), names.begin(), names.end());

  const Duration left = end - host_.now();
  Result<CommandEnd> call = fail("its time was over before it could be asked");
  if (left > Duration::zero() && container) call = pct_.systemctl(*container, arguments, left);
  if (left > Duration::zero() && !container) {
    arguments.insert(arguments.begin(), paths::kSystemctl);
    call = host_.run({.argv = arguments, .input = {}, .deadline = left});
  }
  const bool taken = call && call->success();
  say(Rung::stop_unit, fmt::format("{}/{}", container ? container->text() : "host", joined(names, " ")),
      taken ? "its systemd has taken the stop" : hint_of(call));
  if (!taken) return;  // what is frozen stays so until it is killed
  for (const ShedTarget* target : units) thaw_target(*target);
}

void Ladder::watch_the_stop(Instant end) {
  const Instant judged_at = std::min(end, host_.now() + kAfterThaw);
  const CardLook thawed = look_at_card(host_, policy_, card_.pci);
  seen_ = look_until_empty(host_, policy_, card_.pci, judged_at);
  if (seen_.empty() || judged_at == end) return see(Rung::stop_unit, host_.now());
  if (computes(seen_.holders, thawed.holders)) {
    return say(Rung::stop_unit, card_.id.text(),
               "it still computes a second after the stop: no more waiting");
  }
  if (still_hot_()) {
    return say(Rung::stop_unit, card_.id.text(),
               "it is hot, or blind, a second after the stop: no more waiting");
  }
  see(Rung::stop_unit, end);
}

void Ladder::stop_units() {
  const auto targets = seen_.targets();
  std::map<std::optional<Vmid>, std::vector<const ShedTarget*>> by_systemd;
  for (const ShedTarget& target : targets) {
    if (target.kind == ShedTarget::Kind::unit) by_systemd[target.container].push_back(&target);
  }
  if (by_systemd.empty()) return;
  const Instant end = host_.now() + policy_.guard.shed.stop;
  auto waiting = static_cast<Duration::rep>(by_systemd.size());
  for (const auto& [container, units] : by_systemd) {
    // One that never answers leaves the others their part of the rung's time.
    const Instant now = host_.now();
    ask_to_stop(container, units, now + (end - now) / waiting);
    --waiting;
  }
  watch_the_stop(end);
}

void Ladder::kill_process(const ShedTarget& target, const ProcessId& process) {
  const std::string subject = fmt::format("pid {}", process.pid);
  const auto sent = host_.signal(process, SIGKILL);
  if (sent) return say(Rung::kill, subject, "killed");
  if (sent.error().code == ESRCH) return say(Rung::kill, subject, "it has gone by itself");
  if (!host_.rooted()) return say(Rung::kill, subject, sent.error().message);
  if (!may_kill_by_cgroup(target.cgroup)) {
    return say(Rung::kill, subject,
               fmt::format("no signal is sent below a root of its own, and its cgroup {} holds more than it",
                           target.cgroup.empty() ? "(unknown)" : target.cgroup));
  }
  const auto killed = host_.write_control(paths::cgroup(target.cgroup) + "/cgroup.kill", "1");
  say(Rung::kill, subject, killed ? "killed with its cgroup " + target.cgroup : killed.error().message);
}

void Ladder::kill_target(const ShedTarget& target) {
  if (!target.whole) {
    for (const ProcessId& process : target.processes) kill_process(target, process);
    return;
  }
  const auto killed = host_.write_control(paths::cgroup(target.cgroup) + "/cgroup.kill", "1");
  if (!killed && is_missing(killed.error())) return say(Rung::kill, target.text(), "it has gone by itself");
  say(Rung::kill, target.text(), killed ? "killed whole" : killed.error().message);
}

void Ladder::kill_holders() {
  const auto targets = seen_.targets();
  if (std::ranges::all_of(targets,
                          [](const ShedTarget& it) { return it.kind == ShedTarget::Kind::container; }))
    return;
  for (const ShedTarget& target : targets) kill_target(target);
  see(Rung::kill, host_.now() + policy_.guard.shed.kill);
  for (const ShedTarget& target : targets) {
    // A killed cgroup that still exists is thawed, or whatever comes there next would never run.
    if (target.whole && !sees(seen_.holders, target.processes)) thaw_target(target);
  }
}

void Ladder::stop_containers() {
  const auto containers = seen_.containers();
  if (containers.empty()) return;
  const Instant end = host_.now() + policy_.guard.shed.container;
  auto waiting = static_cast<Duration::rep>(containers.size());
  for (const Vmid vmid : containers) {
    const Duration left = (end - host_.now()) / waiting;
    --waiting;
    if (left <= Duration::zero()) break;
    const auto call = pct_.stop(vmid, left);
    say(Rung::stop_container, vmid.text(), hint_of(call));
  }
  see(Rung::stop_container, end);
}

void Ladder::kill_containers() {
  const auto containers = seen_.containers();
  if (containers.empty()) return;
  for (const Vmid vmid : containers) {
    const auto killed = host_.write_control(paths::container_cgroup(vmid) + "/cgroup.kill", "1");
    say(Rung::kill_container, vmid.text(), killed ? "killed whole" : killed.error().message);
  }
  see(Rung::kill_container, host_.now() + policy_.guard.shed.kill);
}

void Ladder::last_resort() {
  if (policy_.guard.last_resort != LastResort::poweroff) {
    return say(Rung::last_resort, card_.id.text(),
               "nothing more can be done: the policy's last resort is none");
  }
  if (!still_hot_()) {
    return say(Rung::last_resort, card_.id.text(), "it is held and not hot: the host stays up");
  }
  const auto call = host_.run({.argv = {paths::kSystemctl, "poweroff"}, .input = {}, .deadline = 30s});
  say(Rung::last_resort, "host", "power off: " + hint_of(call));
}

ShedReport Ladder::end() {
  const auto thawed = thaw_all(host_, card_.pci);
  if (!thawed) say(Rung::freeze, card_.id.text(), "not thawed: " + thawed.error().message);
  for (const Holder& holder : seen_.spared) {
    say(Rung::freeze, fmt::format("pid {}", holder.process.pid),
        fmt::format("{} has the card open too, and no rung may touch it", printable(holder.command)));
  }
  report_.empty = seen_.empty();
  return std::move(report_);
}

}  // namespace interlock::act
