#include "decide/proof_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "decide/plan.h"
#include "decide/power.h"

namespace interlock::decide {
namespace {

using Why = std::optional<std::string>;

/// All that a rule may look at.
struct Case {
  const HostState& state;
  const Policy& policy;
  const Target& target;
  const Step& step;
  const std::set<PciAddress>& seen_free;

  const Want* want(Vmid vmid) const {
    const auto found = target.wants.find(vmid);
    return found == target.wants.end() ? nullptr : &found->second;
  }
  bool exclusive(const PciAddress& card) const {
    const PolicyCard* known = policy.card(card);
    return known != nullptr && !known->shared;
  }
  std::string name(const PciAddress& card) const { return policy.card_name(card); }
  Owner::Kind ledger(const PciAddress& card) const {
    if (!state.ledger || !state.ledger->contains(card)) return Owner::Kind::none;
    return state.ledger->at(card).kind;
  }
};

/// A declared unit beside the wanted one that nobody has seen retired.
Why not_retired(const Case& at, const Container& container, const std::optional<UnitName>& wanted) {
  const auto declared = at.policy.containers.find(container.vmid);
  if (declared == at.policy.containers.end()) return std::nullopt;
  for (const UnitName& name : declared->second.units) {
    if (name == wanted) continue;
    const Unit* unit = container.unit(name);
    if (unit == nullptr || is_retired(*unit) != Truth::yes) {
      return fmt::format("{} of {} has not been seen disabled and inactive", name.text(),
                         container.vmid.text());
    }
  }
  return std::nullopt;
}

Why stop_rule(const Case& at, const Container& container, const Want& want) {
  if (container.running != RunState::running) return "it does not run";
  if (container.autostart.onboot) return "a power cut would bring it up again: its autostart is on";
  for (const PolicyCard& card : at.policy.cards) {
    if (card.shared || !container.binds(card.pci)) continue;
    if (at.ledger(card.pci) != Owner::Kind::held) {
      return fmt::format("the ledger still lets a container start with {}", card.id.text());
    }
  }
  const bool comes_back = want.state == RunState::running && (want.serve || want.retire_all);
  return comes_back ? not_retired(at, container, want.serve) : std::nullopt;
}

Why free_rule(const Case& at) {
  for (const PciAddress& card : at.step.cards) {
    for (const Container& container : at.state.containers) {
      if (container.running != RunState::stopped && container.can_hold(card)) {
        return fmt::format("{} runs, and has {}", container.vmid.text(), at.name(card));
      }
    }
  }
  return std::nullopt;
}

/// Its configuration is to go on binding the card, and it neither runs nor starts by itself.
bool keeps_harmlessly(const Case& at, const Container& container, const PciAddress& card) {
  if (container.can_hold(card)) return false;
  const Want* want = at.want(container.vmid);
  return want == nullptr || want->keep_binding || !want->cards || want->cards->contains(card);
}

/// It runs with the card, and the target leaves it there: that a stopped container loses its own binding
/// takes nothing from anybody.
bool is_kept_elsewhere(const Case& at, const Container& container, const PciAddress& card) {
  return std::ranges::any_of(at.state.containers, [&](const Container& other) {
    const Want* want = at.want(other.vmid);
    return other.vmid != container.vmid && other.running == RunState::running && other.binds(card) &&
           (want == nullptr || !want->cards || want->cards->contains(card));
  });
}

Why release_rule(const Case& at, const Container& container) {
  if (container.running != RunState::stopped) return "it is not stopped";
  for (const PciAddress& card : at.step.cards) {
    const bool matters = at.exclusive(card) && !is_kept_elsewhere(at, container, card);
    if (matters && !at.seen_free.contains(card))
      return fmt::format("{} has not been seen free", at.name(card));
  }
  return std::nullopt;
}

Why bind_rule(const Case& at, const Container& container) {
  if (container.running != RunState::stopped) return "it is not stopped";
  if (container.autostart.onboot) return "a power cut would bring it up: its autostart is on";
  for (const PciAddress& card : at.step.cards) {
    if (!at.exclusive(card)) continue;
    if (!at.seen_free.contains(card)) return fmt::format("{} has not been seen free", at.name(card));
    if (at.ledger(card) != Owner::Kind::held) {
      return fmt::format("the ledger still lets a container start with {}", at.name(card));
    }
    for (const Container& other : at.state.containers) {
      if (other.vmid == container.vmid || !other.binds(card) || keeps_harmlessly(at, other, card)) continue;
      return fmt::format("{} still binds {}", other.vmid.text(), at.name(card));
    }
  }
  return std::nullopt;
}

Why give_rule(const Case& at, const Container& container) {
  const std::set<PciAddress> generated = to_generate(container);
  for (const PciAddress& card : at.step.cards) {
    if (!container.binds(card)) return fmt::format("its configuration does not bind {}", at.name(card));
    const bool lacks = generated.contains(card) && !container.generated_cards.contains(card);
    if (container.running == RunState::stopped && lacks) {
      return fmt::format("the configuration that it starts with does not have {}", at.name(card));
    }
  }
  return std::nullopt;
}

Why start_rule(const Case& at, const Container& container) {
  if (container.running != RunState::stopped) return "it is not stopped";
  if (!at.state.ledger) return "the ledger cannot be read";
  for (const auto& [card, owner] : *at.state.ledger) {
    if (!at.exclusive(card) || !container.binds(card) || owner.kind == Owner::Kind::none) continue;
    if (owner != Owner::of(container.vmid)) {
      return fmt::format("the gate refuses it, since the ledger says {} of {}", owner.text(), at.name(card));
    }
  }
  return std::nullopt;
}

Why enable_rule(const Case& at, const Container& container, const Want& want) {
  if (auto why = not_retired(at, container, at.step.unit)) return why;
  if (!want.serving || !want.start ||
      serves(at.state, container.vmid, *at.step.unit, want.cards.value_or(std::set<PciAddress>{}))) {
    return std::nullopt;
  }
  return "it has not been seen serving";
}

Why restore_rule(const Case& at, const Container& container, const Want& want) {
  const auto onboot = at.step.settings.find("onboot");
  const bool on = onboot != at.step.settings.end() && onboot->second && is_on(*onboot->second);
  if (!on || want.state != RunState::running) return std::nullopt;
  if (container.running != RunState::running) return "it does not run yet";
  if (!want.serve) return std::nullopt;
  const Unit* unit = container.unit(*want.serve);
  if (want.enable && (unit == nullptr || would_start(*unit) != Truth::yes)) {
    return fmt::format("{} is not enabled yet", want.serve->text());
  }
  return std::nullopt;
}

Why container_rule(const Case& at, const Container& container, const Want& want) {
  const bool runs = container.running == RunState::running;
  switch (at.step.kind) {
    case StepKind::retire_unit:
      return runs ? std::nullopt : Why("it does not run, so nobody can ask it");
    case StepKind::stop_container:
      return stop_rule(at, container, want);
    case StepKind::release_cards:
      return release_rule(at, container);
    case StepKind::bind_cards:
      return bind_rule(at, container);
    case StepKind::give_card:
      return give_rule(at, container);
    case StepKind::start_container:
      return start_rule(at, container);
    case StepKind::start_unit:
      return runs ? not_retired(at, container, at.step.unit) : Why("it does not run, so nobody can ask it");
    case StepKind::see_serving: {
      const Unit* unit = container.unit(*at.step.unit);
      return runs && unit != nullptr && is_live(*unit) == Truth::yes ? std::nullopt
                                                                     : Why("the unit does not run");
    }
    case StepKind::enable_unit:
      return enable_rule(at, container, want);
    case StepKind::restore_autostart:
      return restore_rule(at, container, want);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> against_the_law(const HostState& state, const Policy& policy, const Target& target,
                                           const Step& step, const std::set<PciAddress>& seen_free) {
  const Case at{state, policy, target, step, seen_free};
  if (step.kind == StepKind::see_card_free) return free_rule(at);
  if (step.kind == StepKind::sweep) {
    const auto open = differences(state, policy, target);
    return open.empty() ? std::nullopt : std::optional(open.front());
  }
  if (!step.container) return std::nullopt;
  const Container* container = state.container(*step.container);
  const Want* want = at.want(*step.container);
  if (container == nullptr || want == nullptr) return "the target does not name it (I5)";
  return container_rule(at, *container, *want);
}

}  // namespace interlock::decide
