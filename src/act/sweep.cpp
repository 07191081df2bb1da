// sweep: everything that the target says, looked at once more before the cutover is called done.
#include "act/health.h"
#include "act/keepsake_file.h"
#include "act/step.h"
#include "base/text.h"
#include "decide/invariants.h"
#include "decide/plan.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

std::vector<std::string> what_is_wrong(Run& run, const HostState& state) {
  std::vector<std::string> wrong = decide::differences(state, run.policy, run.target);
  for (const decide::Breach& breach : decide::breaches(state, run.policy)) {
    wrong.push_back(fmt::format("{} is broken: {}", breach.invariant, breach.message));
  }
  for (const decide::Breach& breach : decide::boot_breaches(state, run.policy)) {
    wrong.push_back(fmt::format("{} would be broken after a boot: {}", breach.invariant, breach.message));
  }
  return wrong;
}

/// What a container has got back in the meantime need not be kept for it: a run that was cut short may leave
/// such.
Result<void> tidy(Run& run, const Container& container) {
  Keepsake kept = container.keepsake;
  if (container.autostart.onboot) kept.onboot.reset();
  std::erase_if(kept.lines, [&](const auto& lines) { return container.binds(lines.first); });
  if (kept == container.keepsake) return {};
  return write_keepsake(run.host, container.vmid, kept);
}

}  // namespace

Outcome sweep(Run& run, const Step&) {
  const auto state =
      observe::look(run.host, run.policy, {.units = true, .all_holders = true, .samples = false});
  if (!state) return failed(state.error().message);
  const auto wrong = what_is_wrong(run, *state);
  if (!wrong.empty()) return failed(joined(wrong, "; "));
  for (const auto& [vmid, want] : run.target.wants) {
    if (want.serve && want.start && want.serving) {
      if (Outcome healthy = is_healthy(run, vmid); !healthy.done) return healthy;
    }
    const Container* container = state->container(vmid);
    if (container == nullptr) continue;
    if (const auto tidied = tidy(run, *container); !tidied) return failed(tidied.error().message);
  }
  return done("all is as it should be");
}

}  // namespace interlock::act
