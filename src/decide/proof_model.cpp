#include "decide/proof_model.h"

#include <algorithm>

#include "decide/plan.h"
#include "decide/plan_lines.h"
#include "decide/power.h"
#include "decide/proof.h"

namespace interlock::decide {
namespace {

Unit& unit_of(Container& container, const UnitName& name) {
  const auto found = std::ranges::find(container.units, name, &Unit::name);
  if (found != container.units.end()) return *found;
  return container.units.emplace_back(
      Unit{name, LoadState::loaded, ActiveState::unknown, UnitFileState::unknown, {}, {}, {}});
}

void drop_holders(HostState& state, Vmid vmid, const std::optional<UnitName>& unit) {
  for (Card& card : state.cards) {
    std::erase_if(card.holders, [&](const Holder& holder) {
      return holder.place.container == vmid && (!unit || holder.place.unit == unit);
    });
  }
}

void hold(HostState& state, Vmid vmid, const UnitName& unit, const std::vector<PciAddress>& cards) {
  drop_holders(state, vmid, unit);
  for (Card& card : state.cards) {
    if (std::ranges::find(cards, card.pci) == cards.end()) continue;
    const Place place{vmid, unit, {}, true, true};
    Holder holder{{}, {}, card.pci, place, {}, {}, {}, false, Truth::yes};
    card.holders.push_back(std::move(holder));
  }
}

void apply_settings(Container& container, const Settings& settings) {
  for (const auto& [key, value] : settings) {
    if (value) {
      container.settings[key] = value;
    } else {
      container.settings.erase(key);
    }
    if (key == "onboot") container.autostart.onboot = value && is_on(*value);
  }
}

std::optional<std::string> onboot_of(const Container& container) {
  const auto found = container.settings.find("onboot");
  return found == container.settings.end() ? std::nullopt : found->second;
}

void release(Container& container, const std::vector<PciAddress>& cards) {
  std::map<PciAddress, std::vector<std::string>> kept;
  for (const Binding& binding : bindings_giving(container, cards)) {
    for (const PciAddress& card : binding.cards) kept[card].push_back(binding.line);
    const std::string_view key = key_line(binding.line).key;
    if (is_numbered(key)) container.settings.erase(std::string(key));
    std::erase(container.bindings, binding);
  }
  for (auto& [card, lines] : kept) container.keepsake.lines[card] = std::move(lines);
  regenerate(container);
}

void bind(const HostState& state, const Policy& policy, Container& container, const Step& step) {
  for (const std::string& line : step.lines) {
    container.bindings.push_back(binding_of(state, policy, line, step.cards));
    const KeyLine read = key_line(line);
    if (is_numbered(read.key)) container.settings[std::string(read.key)] = std::string(read.value);
  }
  for (const PciAddress& card : step.cards) container.keepsake.lines.erase(card);
  const bool by_pct =
      std::ranges::none_of(step.lines, [](const std::string& line) { return line.starts_with("lxc."); });
  if (by_pct) regenerate(container);
}

void apply_to(HostState& state, const Policy& policy, Container& container, const Step& step) {
  switch (step.kind) {
    case StepKind::retire_unit: {
      Unit& unit = unit_of(container, *step.unit);
      unit.active = ActiveState::inactive;
      unit.file = UnitFileState::disabled;
      unit.started_by.clear();
      drop_holders(state, container.vmid, step.unit);
      return;
    }
    case StepKind::clear_autostart:
      if (!container.keepsake.onboot) container.keepsake.onboot = onboot_of(container);
      apply_settings(container, step.settings);
      return;
    case StepKind::restore_autostart:
      container.keepsake.onboot.reset();
      apply_settings(container, step.settings);
      return;
    case StepKind::set_limits:
      apply_settings(container, step.settings);
      regenerate(container);
      return;
    case StepKind::stop_container:
      go_down(container);
      drop_holders(state, container.vmid, std::nullopt);
      return;
    case StepKind::release_cards:
      release(container, step.cards);
      return;
    case StepKind::bind_cards:
      bind(state, policy, container, step);
      return;
    case StepKind::start_container:
      come_up(container);
      return;
    case StepKind::start_unit:
      unit_of(container, *step.unit).active = ActiveState::active;
      return;
    case StepKind::see_serving:
      hold(state, container.vmid, *step.unit, step.cards);
      return;
    case StepKind::enable_unit:
      unit_of(container, *step.unit).file = UnitFileState::enabled;
      return;
    case StepKind::take_card:
    case StepKind::see_card_free:
    case StepKind::give_card:
    case StepKind::sweep:
      return;
  }
}

bool needs_setting(const std::string& key, const Target& target) {
  const auto named = [&](const auto& wanted) { return wanted.second.settings.contains(key); };
  return key == "onboot" || is_numbered(key) || std::ranges::any_of(target.wants, named);
}

}  // namespace

void apply(HostState& state, const Policy& policy, const Step& step) {
  if (step.kind == StepKind::take_card || step.kind == StepKind::give_card) {
    if (!state.ledger) return;
    for (const PciAddress& card : step.cards) (*state.ledger)[card] = step.owner;
    return;
  }
  if (step.kind == StepKind::see_card_free) {
    for (Card& card : state.cards) {
      if (std::ranges::find(step.cards, card.pci) != step.cards.end()) card.holders.clear();
    }
    return;
  }
  if (!step.container) return;
  if (Container* container = state.container(*step.container)) apply_to(state, policy, *container, step);
}

HostState after_step(const HostState& state, const Policy& policy, const Step& step) {
  HostState after = state;
  apply(after, policy, step);
  return after;
}

HostState with_gate(HostState booted, const Policy& policy) {
  if (!booted.ledger) return booted;
  for (Container& container : booted.containers) {
    const bool refused = std::ranges::any_of(*booted.ledger, [&](const auto& line) {
      const auto& [card, owner] = line;
      const PolicyCard* known = policy.card(card);
      if (known == nullptr || known->shared || !container.binds(card)) return false;
      return owner.kind == Owner::Kind::held ||
             (owner.kind == Owner::Kind::container && owner.container != container.vmid);
    });
    if (refused && container.running == RunState::running) go_down(container);
  }
  return booted;
}

HostState lean(const HostState& state, const Policy& policy, const Target& target) {
  HostState thin;
  thin.taken_at = state.taken_at;
  thin.boot_id = state.boot_id;
  thin.vms = state.vms;
  thin.ledger = state.ledger;
  thin.ledger_error = state.ledger_error;
  thin.cutover = state.cutover;
  for (const Card& card : state.cards) {
    thin.cards.emplace_back(card).sample.reset();
  }
  for (const Container& container : state.containers) {
    const bool has_card = std::ranges::any_of(policy.cards, [&](const PolicyCard& card) {
      return container.binds(card.pci) || container.generated_cards.contains(card.pci);
    });
    if (!has_card && !target.wants.contains(container.vmid)) continue;
    Container& copy = thin.containers.emplace_back(container);
    copy.config.clear();
    copy.generated_lines.clear();
    copy.unprovable.clear();
    std::erase_if(copy.settings, [&](const auto& setting) { return !needs_setting(setting.first, target); });
  }
  return thin;
}

}  // namespace interlock::decide
