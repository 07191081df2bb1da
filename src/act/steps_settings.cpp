// clear_autostart, restore_autostart, set_limits: one `pct set`, and the configuration as it reads
// afterwards.
#include "act/edit_config.h"
#include "act/keepsake_file.h"
#include "act/step.h"
#include "base/text.h"
#include "observe/host_state.h"
#include "pve/config.h"

namespace interlock::act {
namespace {

std::optional<std::string> setting(const Container& container, const std::string& key) {
  const auto found = container.settings.find(key);
  return found == container.settings.end() ? std::nullopt : found->second;
}

/// Proxmox writes "1" for "yes": for `onboot` what it means counts.
bool same(const std::string& key, const std::optional<std::string>& now,
          const std::optional<std::string>& wanted) {
  if (key == "onboot" && now && wanted) return pve::truthy(*now) == pve::truthy(*wanted);
  return now == wanted;
}

std::string shown(const std::optional<std::string>& value) {
  return value ? printable(*value) : "absent";
}

struct Applied {
  Outcome outcome;
  std::optional<Container> now;
};

Applied apply(Run& run, const Container& seen, const Settings& wanted) {
  const auto call = run.pct.set(seen.vmid, wanted, seen.digest, run.policy.timing.command);
  auto now = observe::look_at_container(run.host, run.policy, seen.vmid, false);
  if (!now) return {failed(now.error().message), std::nullopt};
  std::vector<std::string> is;
  bool all = true;
  for (const auto& [key, value] : wanted) {
    const auto found = setting(*now, key);
    const bool right = same(key, found, value);
    all = all && right;
    is.push_back(fmt::format("{} {}{}", key, shown(found), right ? "" : ", not " + shown(value)));
  }
  std::string text = joined(is, "; ");
  if (!all) text += fmt::format("; the call said: {}", hint_of(call));
  return {{all, std::move(text)}, *std::move(now)};
}

}  // namespace

Outcome clear_autostart(Run& run, const Step& step) {
  const auto seen = observe::look_at_container(run.host, run.policy, *step.container, false);
  if (!seen) return failed(seen.error().message);
  auto keepsake = read_keepsake(run.host, *step.container);
  if (!keepsake) return failed(keepsake.error().message);
  if (!keepsake->onboot) {
    keepsake->onboot = setting(*seen, "onboot");
    if (const auto kept = write_keepsake(run.host, *step.container, *keepsake); !kept)
      return failed(kept.error().message);
  }
  return apply(run, *seen, step.settings).outcome;
}

Outcome restore_autostart(Run& run, const Step& step) {
  const auto seen = observe::look_at_container(run.host, run.policy, *step.container, false);
  if (!seen) return failed(seen.error().message);
  Outcome outcome = apply(run, *seen, step.settings).outcome;
  if (!outcome.done) return outcome;
  auto keepsake = read_keepsake(run.host, *step.container);
  if (!keepsake) return failed(keepsake.error().message);
  if (!keepsake->onboot) return outcome;
  keepsake->onboot.reset();
  if (const auto kept = write_keepsake(run.host, *step.container, *keepsake); !kept)
    return failed(kept.error().message);
  return outcome;
}

Outcome set_limits(Run& run, const Step& step) {
  const auto seen = observe::look_at_container(run.host, run.policy, *step.container, false);
  if (!seen) return failed(seen.error().message);
  Settings wanted = step.settings;
  if (wanted.empty()) {
    auto harmless = harmless_setting(*seen);
    if (!harmless) return failed(harmless.error().message);
    wanted = *std::move(harmless);
  }
  Applied applied = apply(run, *seen, wanted);
  if (applied.outcome.done && applied.now->generated_stale) {
    return failed(fmt::format("{}; but what container {} starts with was not generated from it",
                              applied.outcome.seen, step.container->text()));
  }
  return applied.outcome;
}

}  // namespace interlock::act
