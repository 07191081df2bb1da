#include "cli/policy_on_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text.h"
#include "decide/findings.h"

namespace interlock::cli {
namespace {

/// Findings of the audit that tell of the policy's own text, not of what goes on.
constexpr auto kOfThePolicy =
    std::to_array<std::string_view>({"card-missing", "card-replaced", "limits-too-close-to-emergency"});

void add_from_audit(const HostState& state, const Policy& policy, Audit& found) {
  for (const Finding& finding : decide::audit(state, policy).findings) {
    if (std::ranges::find(kOfThePolicy, finding.code) != kOfThePolicy.end())
      found.findings.push_back(finding);
  }
}

/// A channel that the policy requires of a card that is awake and has no such sensor.
void add_channels(const Card& card, const Policy& policy, Audit& found) {
  const bool ours = card.present && card.driver == "amdgpu" && card.sample;
  if (!ours || card.sample->runtime == RuntimeStatus::suspended) return;
  for (const Channel channel : kChannels) {
    const auto& seen = card.sample->channel(channel);
    const bool missing = !seen || seen->input.error == ENOENT;
    if (!policy.guard.limits(channel) || !missing) continue;
    found.findings.push_back(
        {"channel-missing", Severity::violation, card.id.text(),
         fmt::format("{} gives no {} temperature (label \"{}\"), which the policy requires of every card.",
                     card.id.text(), to_string(channel), driver_label(channel)),
         fmt::format("Take guard.channels.{} out of the policy if the card has no such sensor; see "
                     "gpu-interlock sensors.",
                     to_string(channel))});
  }
}

void add_units(const Container& container, const std::vector<UnitName>& declared, Audit& found) {
  if (declared.empty()) return;
  if (container.units_answer != UnitsAnswer::answered) {
    const bool stopped = container.running == RunState::stopped;
    found.unknown.push_back(fmt::format("whether the units of container {} are there: {}",
                                        container.vmid.text(),
                                        stopped ? "it is stopped" : printable(container.units_error)));
    return;
  }
  for (const UnitName& name : declared) {
    const Unit* unit = container.unit(name);
    if (unit != nullptr && unit->load != LoadState::not_found) continue;
    found.findings.push_back({"unit-missing", Severity::violation, container.vmid.text() + "/" + name.text(),
                              fmt::format("Container {} has no unit {}.", container.vmid.text(), name.text()),
                              fmt::format("pct exec {} -- systemctl list-unit-files shows those that it has.",
                                          container.vmid.text())});
  }
}

}  // namespace

Audit policy_on_host(const HostState& state, const Policy& policy) {
  Audit found;
  add_from_audit(state, policy, found);
  for (const Card& card : state.cards) add_channels(card, policy, found);
  for (const auto& [vmid, declared] : policy.containers) {
    if (const Container* container = state.container(vmid)) {
      add_units(*container, declared.units, found);
      continue;
    }
    found.findings.push_back(
        {"container-missing", Severity::violation, vmid.text(),
         fmt::format("There is no container {} on this host.", vmid.text()),
         "pct list shows those that there are; take it out of the policy, or correct its number."});
  }
  return found;
}

}  // namespace interlock::cli
