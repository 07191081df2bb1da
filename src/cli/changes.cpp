#include "cli/changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace interlock::cli {
namespace {

bool has_step(const Plan& plan, StepKind kind, Vmid vmid) {
  return std::ranges::any_of(plan.steps,
                             [&](const Step& step) { return step.kind == kind && step.container == vmid; });
}

std::string owners_text(const std::vector<Vmid>& owners) {
  if (owners.empty()) return "no container";
  std::vector<std::string> texts;
  for (const Vmid owner : owners) texts.push_back("container " + owner.text());
  return joined(texts, " and ");
}

std::vector<Vmid> owners_now(const HostState& state, const PciAddress& card) {
  std::vector<Vmid> owners;
  for (const Container& container : state.containers) {
    if (container.binds(card)) owners.push_back(container.vmid);
  }
  return owners;
}

std::vector<Vmid> owners_then(const HostState& state, const Target& target, const PciAddress& card) {
  std::vector<Vmid> owners;
  for (const Container& container : state.containers) {
    const auto want = target.wants.find(container.vmid);
    const bool named = want != target.wants.end() && want->second.cards.has_value();
    const bool keeps = named && want->second.keep_binding && container.binds(card);
    if (named ? want->second.cards->contains(card) || keeps : container.binds(card))
      owners.push_back(container.vmid);
  }
  return owners;
}

void add_cards(std::vector<Change>& found, const HostState& state, const Policy& policy,
               const Target& target) {
  for (const PolicyCard& card : policy.cards) {
    const auto now = owners_now(state, card.pci);
    const auto then = owners_then(state, target, card.pci);
    if (now != then) found.push_back({"card " + card.id.text(), "", owners_text(now), owners_text(then)});
  }
}

std::string setting_text(const std::optional<std::string>& value) {
  return value ? printable(*value) : "not set";
}

void add_container(std::vector<Change>& found, const Container& container, const Want& want,
                   const Plan& plan) {
  const std::string subject = "container " + container.vmid.text();
  if (want.state && *want.state != container.running) {
    found.push_back(
        {subject, "", std::string(to_string(container.running)), std::string(to_string(*want.state))});
  } else if (has_step(plan, StepKind::stop_container, container.vmid)) {
    found.push_back({subject, "", "running", "stopped, then started again"});
  }
  const auto autostart = [](bool on) { return on ? "starts" : "stays down"; };
  const bool cleared = has_step(plan, StepKind::clear_autostart, container.vmid);
  const bool restored = has_step(plan, StepKind::restore_autostart, container.vmid);
  if (cleared && !restored)
    found.push_back({subject, "at boot", autostart(container.autostart.any()), autostart(false)});
  if (restored && !cleared)
    found.push_back({subject, "at boot", autostart(container.autostart.any()), autostart(true)});
  for (const auto& [key, value] : want.settings) {
    const auto now = container.settings.find(key);
    const auto before = now == container.settings.end() ? std::nullopt : now->second;
    if (key != "onboot" && before != value)
      found.push_back({subject, key, setting_text(before), setting_text(value)});
  }
}

void add_units(std::vector<Change>& found, const HostState& state, const Plan& plan) {
  for (const Step& step : plan.steps) {
    if (!step.container || !step.unit) continue;
    const Container* container = state.container(*step.container);
    const Unit* unit = container == nullptr ? nullptr : container->unit(*step.unit);
    const std::string now =
        unit == nullptr ? "not known" : fmt::format("{}, {}", to_string(unit->active), to_string(unit->file));
    const std::string subject = fmt::format("unit {}/{}", step.container->text(), step.unit->text());
    if (std::ranges::find(found, subject, &Change::subject) != found.end()) continue;
    if (step.kind == StepKind::retire_unit)
      found.push_back({subject, "", now, "retired: inactive, disabled"});
    if (step.kind == StepKind::start_unit || step.kind == StepKind::enable_unit) {
      found.push_back({subject, "", now, "serving: active, enabled"});
    }
  }
}

}  // namespace

std::vector<Change> changes(const HostState& state, const Policy& policy, const Plan& plan) {
  std::vector<Change> found;
  add_cards(found, state, policy, plan.target);
  for (const auto& [vmid, want] : plan.target.wants) {
    if (const Container* container = state.container(vmid)) add_container(found, *container, want, plan);
  }
  add_units(found, state, plan);
  return found;
}

}  // namespace interlock::cli
