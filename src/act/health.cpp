#include "act/health.h"

#include <chrono>

#include "base/text.h"

namespace interlock::act {
namespace {

constexpr Duration kPause = std::chrono::seconds(2);

const std::vector<HealthCheck>& checks_of(const Run& run, Vmid vmid) {
  static const std::vector<HealthCheck> kNone;
  if (run.cutover == nullptr) return kNone;
  const auto found = run.cutover->containers.find(vmid);
  return found == run.cutover->containers.end() ? kNone : found->second.healthy;
}

Seen ask(Run& run, Vmid vmid, const HealthCheck& check) {
  const auto call = run.pct.execute(vmid, check.command, std::min(check.within, run.policy.timing.command));
  if (call && call->success()) return {Seen::How::so, "healthy"};
  return {Seen::How::not_yet, fmt::format("not healthy: {}: {}", joined(check.command, " "), hint_of(call))};
}

}  // namespace

Outcome become_healthy(Run& run, Vmid vmid, const std::function<std::optional<std::string>()>& objection) {
  const Instant begun = run.host.now();
  for (const HealthCheck& check : checks_of(run, vmid)) {
    const Duration left = std::max<Duration>(Duration::zero(), check.within - (run.host.now() - begun));
    Outcome outcome = seen_within(run.host, left, kPause, [&] {
      if (auto why = objection()) return Seen{Seen::How::never, *std::move(why)};
      return ask(run, vmid, check);
    });
    if (!outcome.done) return outcome;
  }
  return done("healthy");
}

Outcome is_healthy(Run& run, Vmid vmid) {
  for (const HealthCheck& check : checks_of(run, vmid)) {
    const Seen seen = ask(run, vmid, check);
    if (seen.how != Seen::How::so) return failed(seen.text);
  }
  return done("healthy");
}

}  // namespace interlock::act
