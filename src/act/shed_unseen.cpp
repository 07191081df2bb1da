#include "act/shed_unseen.h"

#include <algorithm>
#include <chrono>
#include <csignal>

#include "act/cgroup.h"
#include "act/freeze.h"
#include "act/pct.h"
#include "host/paths.h"

namespace interlock::act {
namespace {

using decide::ShedTarget;

constexpr Duration kPause = std::chrono::milliseconds(100);

class UnseenLadder {
 public:
  UnseenLadder(Host& host, const Policy& policy, const ShedProgress& progress)
      : host_(host), policy_(policy), progress_(progress) {}

  /// True: all of them were in cgroups that are empty now.
  bool kill(const std::vector<ShedTarget>& targets);
  bool stop(const std::set<Vmid>& containers);
  ShedReport end(bool empty) {
    report_.empty = empty;
    return std::move(report_);
  }
  void say(Rung rung, std::string subject, std::string text) {
    report_.events.push_back({rung, std::move(subject), std::move(text), false});
    progress_(report_.events.back());
  }

 private:
  void kill_cgroup(Rung rung, const std::string& subject, const std::string& cgroup);
  std::vector<std::string> still_full(std::vector<std::string> cgroups, Duration patience);

  Host& host_;
  const Policy& policy_;
  const ShedProgress& progress_;
  ShedReport report_;
};

std::string cgroup_of(Vmid vmid) {
  return "/lxc/" + vmid.text();
}

void UnseenLadder::kill_cgroup(Rung rung, const std::string& subject, const std::string& cgroup) {
  const auto killed = host_.write_control(paths::cgroup(cgroup) + "/cgroup.kill", "1");
  if (killed) return say(rung, subject, "killed whole");
  say(rung, subject, is_missing(killed.error()) ? "it has gone by itself" : killed.error().message);
}

/// Those that something still runs in when the time is over; one that cannot be looked at is among them.
std::vector<std::string> UnseenLadder::still_full(std::vector<std::string> cgroups, Duration patience) {
  const Instant end = host_.now() + patience;
  for (;;) {
    std::erase_if(cgroups, [this](const std::string& cgroup) {
      const auto full = has_processes(host_, cgroup);
      return full && !*full;
    });
    if (cgroups.empty() || host_.now() >= end) return cgroups;
    host_.wait(kPause);
  }
}

bool UnseenLadder::kill(const std::vector<ShedTarget>& targets) {
  std::vector<std::string> cgroups;
  bool all_whole = true;
  for (const ShedTarget& target : targets) {
    if (target.whole) {
      kill_cgroup(Rung::kill, target.unit ? target.unit->text() : target.cgroup, target.cgroup);
      cgroups.push_back(target.cgroup);
      continue;
    }
    all_whole = false;
    for (const ProcessId& process : target.processes) {
      const auto sent = host_.signal(process, SIGKILL);
      say(Rung::kill, fmt::format("pid {}", process.pid), sent ? "killed" : sent.error().message);
    }
  }
  const auto full = still_full(cgroups, policy_.guard.shed.kill);
  for (const std::string& cgroup : full) say(Rung::kill, cgroup, "something still runs in it");
  return all_whole && full.empty();
}

bool UnseenLadder::stop(const std::set<Vmid>& containers) {
  Pct pct(host_);
  const Instant end = host_.now() + policy_.guard.shed.container;
  auto waiting = static_cast<Duration::rep>(containers.size());
  std::vector<std::string> cgroups;
  for (const Vmid vmid : containers) {
    cgroups.push_back(cgroup_of(vmid));
    const Duration left = (end - host_.now()) / waiting--;
    if (left > Duration::zero()) say(Rung::stop_container, vmid.text(), hint_of(pct.stop(vmid, left)));
  }
  const auto full = still_full(cgroups, std::max<Duration>(end - host_.now(), Duration::zero()));
  for (const std::string& cgroup : full) kill_cgroup(Rung::kill_container, cgroup, cgroup);
  const auto left = still_full(full, policy_.guard.shed.kill);
  for (const std::string& cgroup : left) say(Rung::kill_container, cgroup, "something still runs in it");
  return left.empty();
}

}  // namespace

ShedReport shed_unseen(Host& host, const Policy& policy, const PolicyCard& card, const Unseen& unseen,
                       const ShedProgress& progress) {
  UnseenLadder ladder(host, policy, progress);
  const bool killed = !unseen.last_seen.empty() && ladder.kill(unseen.last_seen);
  const bool empty = killed || ladder.stop(unseen.containers);
  // What was frozen for it is dead or was left to the container's end: nothing stays frozen.
  if (const auto thawed = thaw_all(host, card.pci); !thawed) {
    ladder.say(Rung::freeze, card.id.text(), "not thawed: " + thawed.error().message);
  }
  return ladder.end(empty);
}

}  // namespace interlock::act
