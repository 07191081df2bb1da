#include "act/permission.h"

#include <cerrno>

#include "act/prepare.h"
#include "decide/plan.h"
#include "decide/proof.h"
#include "host/paths.h"

namespace interlock::act {

namespace {

/// What a container was is what it is given back: one that was not read whole is not begun with (I5).
std::vector<Unmet> unread(const HostState& state, Vmid vmid) {
  std::vector<Unmet> unmet;
  for (const std::string& path :
       {paths::container_config(vmid), paths::generated_config(vmid), paths::keepsake(vmid)}) {
    for (const std::string& sentence : state.cannot_tell) {
      if (!sentence.contains(path)) continue;
      unmet.push_back({"container-unread", vmid.text(), "cannot tell " + sentence, "look at " + path});
    }
  }
  return unmet;
}

}  // namespace

CutoverReport refused(std::vector<Unmet> unmet) {
  CutoverReport report;
  report.result = CutoverResult::refused;
  report.unmet = std::move(unmet);
  return report;
}

std::expected<Plan, Unmet> proven_plan(const Run& run, const HostState& state, const Target& target) {
  auto plan = decide::plan(state, run.policy, target, run.id);
  if (!plan)
    return std::unexpected(
        Unmet{"no-plan", target.name, plan.error().message, "change the cutover's target"});
  const Proof proof = decide::prove(state, run.policy, *plan);
  if (proof.holds()) return *std::move(plan);
  return std::unexpected(Unmet{"no-proof", target.name, decide::why_unproven(proof),
                               fmt::format("`gpu-interlock plan {}` shows it step by step", target.name)});
}

std::vector<Unmet> all_unmet(Run& run, const HostState& state, const Target& target,
                             const decide::Allowed& allowed) {
  std::vector<Unmet> unmet = decide::unmet(state, run.policy, target, allowed);
  for (const auto& [vmid, want] : target.wants) {
    for (Unmet& missing : unread(state, vmid)) unmet.push_back(std::move(missing));
    const Container* container = state.container(vmid);
    if (container == nullptr || container->running != RunState::running) continue;
    if (container->units_answer == UnitsAnswer::unanswered) continue;
    for (Unmet& missing : unmet_requirements(run, vmid)) unmet.push_back(std::move(missing));
  }
  return unmet;
}

std::expected<std::unique_ptr<HeldLock>, Unmet> keep_backups_out(Host& host) {
  auto lock = host.lock(paths::kBackupLock, Duration::zero());
  if (lock) return *std::move(lock);
  if (is_missing(lock.error())) return nullptr;  // not even the folder for it: no vzdump either
  const bool busy = lock.error().code == EWOULDBLOCK;
  return std::unexpected(Unmet{"backup-running", "host",
                               busy ? "a backup runs, which stops and starts containers on its own"
                                    : "backups cannot be kept from starting: " + lock.error().message,
                               "wait for it to end: `pvesh get /nodes/localhost/tasks --typefilter vzdump`"});
}

}  // namespace interlock::act
