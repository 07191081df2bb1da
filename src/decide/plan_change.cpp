#include "decide/plan_change.h"

#include <algorithm>

#include "decide/plan.h"
#include "decide/plan_lines.h"
#include "decide/power.h"

namespace interlock::decide {
namespace {

std::optional<std::string> setting(const Container& container, const std::string& key) {
  const auto found = container.settings.find(key);
  return found == container.settings.end() ? std::nullopt : found->second;
}

bool on(const std::optional<std::string>& value) {
  return value && is_on(*value);
}

/// "absent" is wanted only by a way back, which means it to the letter; for everybody else off is off.
bool same_onboot(const std::optional<std::string>& now, const std::optional<std::string>& wanted) {
  if (!wanted || on(now) != on(wanted)) return now == wanted;
  return true;
}

void work_out_cards(const HostState& state, const Policy& policy, Change& change) {
  const Container& now = *change.now;
  const Want& want = *change.want;
  for (const PolicyCard& card : policy.cards) {
    if (now.binds(card.pci)) change.cards_now.insert(card.pci);
  }
  change.cards_after = want.cards.value_or(change.cards_now);
  if (!want.cards) return;

  for (const Binding& binding : now.bindings) {
    if (binding.when != Binding::When::latent && !binding.live_after_removal) change.stays.push_back(binding);
  }
  std::vector<PciAddress> unwanted;
  const bool keeps = want.keep_binding && !change.runs_after;
  for (const PolicyCard& card : policy.cards) {
    const bool wanted = keeps || change.cards_after.contains(card.pci);
    if (!wanted || has_outdated_line(state, policy, change, card.pci)) unwanted.push_back(card.pci);
  }
  change.release = bindings_giving(now, unwanted);
  std::set<PciAddress> given;  // by what stays
  std::erase_if(change.stays, [&](const Binding& binding) {
    return std::ranges::find(change.release, binding) != change.release.end();
  });
  for (const Binding& binding : change.stays) given.insert(binding.cards.begin(), binding.cards.end());
  for (const PciAddress& card : unwanted) {
    const bool released = std::ranges::any_of(change.release, [&](const Binding& binding) {
      return binding.every_card || binding.cards.contains(card);
    });
    if (released || now.generated_cards.contains(card)) change.loses.push_back(card);
  }
  for (const PolicyCard& card : policy.cards) {
    if (!change.cards_after.contains(card.pci)) continue;
    if (!given.contains(card.pci) || !lines_missing(state, policy, change, card.pci).empty()) {
      change.gains.push_back(card.pci);
    }
  }
}

/// Left so by a run that was cut short between an edit and the `pct set` behind it.
bool lacks_generated(const Change& change) {
  const std::set<PciAddress> wanted = to_generate(*change.now);
  const auto lacking = [&](const PciAddress& card) {
    return wanted.contains(card) && !change.now->generated_cards.contains(card);
  };
  if (change.now->running != RunState::stopped || !change.want->cards) return false;
  return std::ranges::any_of(change.cards_after, lacking) || (change.start && change.now->generated_stale);
}

/// A running container whose cards are not those that it would have after a restart.
bool must_restart(const Change& change) {
  if (change.edits()) return true;
  if (!change.want->cards) return false;
  return std::ranges::any_of(change.now->bindings, [&](const Binding& binding) {
    const bool wanted = std::ranges::any_of(
        binding.cards, [&](const PciAddress& card) { return change.cards_after.contains(card); });
    return (binding.when == Binding::When::next_start && wanted) || (binding.live_after_removal && !wanted);
  });
}

/// Where two run with one card (I1 is broken), it comes free only when both are down.
void stop_who_keeps_cards_busy(const Policy& policy, std::vector<Change>& changes) {
  for (std::size_t round = 0; round < changes.size(); ++round) {
    for (const PciAddress& card : cards_that_move(policy, changes)) {
      for (Change& change : changes) {
        if (change.runs_now && change.cards_now.contains(card)) change.stop = true;
      }
    }
  }
}

void work_out_settings(Change& change) {
  const Container& now = *change.now;
  for (const auto& [key, wanted] : change.want->settings) {
    if (key != "onboot" && setting(now, key) != wanted) change.limits[key] = wanted;
  }

  std::optional<std::string> at = setting(now, "onboot");
  const auto given = change.want->settings.find("onboot");
  if (given != change.want->settings.end()) {
    change.onboot = given->second;
  } else if (change.want->state == RunState::stopped) {
    change.onboot = on(at) ? "0" : at;
  } else if (change.want->state == RunState::running && !change.runs_now && now.keepsake.onboot) {
    change.onboot = *now.keepsake.onboot;
  } else {
    change.onboot = at;
  }

  change.onboot_differs = !same_onboot(at, change.onboot);
  change.clear_onboot = on(at) && (change.stop || change.edits() || !on(change.onboot));
  if (change.clear_onboot) at = "0";
  change.restore_onboot = !same_onboot(at, change.onboot);
}

void work_out_units(const HostState& state, Change& change) {
  const Want& want = *change.want;
  if (!change.runs_after || !change.asks_units()) return;
  const bool known = change.units_known();
  const auto answer = [&](const UnitName& name) { return known ? change.now->unit(name) : nullptr; };
  // One that is to run without being enabled: both are taken away, then it is started.
  const auto leaves = [&](const UnitName& name) {
    if (name != want.serve) return true;
    const Unit* unit = answer(name);
    return !want.enable && (unit == nullptr || is_enabled(*unit));
  };
  for (const UnitName& name : change.declared) {
    if (!leaves(name)) continue;
    const Unit* unit = answer(name);
    if (known && (unit == nullptr || is_retired(*unit) != Truth::yes)) change.retire_first.push_back(name);
    if (change.start) change.retire_again.push_back(name);
  }
  if (!want.serve) return;

  const Unit* unit = answer(*want.serve);
  const bool live = unit != nullptr && is_live(*unit) == Truth::yes && !change.start && !leaves(*want.serve);
  change.start_unit = want.start && !live;
  change.see_serving = want.start && want.serving &&
                       (!live || !serves(state, change.now->vmid, *want.serve, change.cards_after));
  change.enable_unit = want.enable && (unit == nullptr || !is_enabled(*unit));
}

}  // namespace

bool is_enabled(const Unit& unit) {
  return unit.file == UnitFileState::enabled || unit.file == UnitFileState::alias ||
         unit.file == UnitFileState::generated;
}

std::vector<Change> changes(const HostState& state, const Policy& policy, const Target& target) {
  std::vector<Change> found;
  for (const auto& [vmid, want] : target.wants) {
    const Container* container = state.container(vmid);
    if (container == nullptr) continue;
    Change change;
    change.now = container;
    change.want = &want;
    if (const auto declared = policy.containers.find(vmid); declared != policy.containers.end()) {
      change.declared = declared->second.units;
    }
    change.runs_now = container->running == RunState::running;
    change.runs_after = want.state.value_or(container->running) == RunState::running;
    work_out_cards(state, policy, change);
    change.stop = change.runs_now && (!change.runs_after || must_restart(change));
    found.push_back(std::move(change));
  }
  stop_who_keeps_cards_busy(policy, found);
  for (Change& change : found) {
    change.start = change.runs_after && (!change.runs_now || change.stop);
    change.regenerate = lacks_generated(change);
    work_out_settings(change);
    work_out_units(state, change);
  }
  return found;
}

std::vector<PciAddress> cards_that_move(const Policy& policy, const std::vector<Change>& changes) {
  std::vector<PciAddress> moving;
  const auto contains = [](const std::vector<PciAddress>& cards, const PciAddress& card) {
    return std::ranges::find(cards, card) != cards.end();
  };
  for (const PolicyCard& known : policy.cards) {
    const PciAddress& card = known.pci;
    const bool runs_elsewhere = std::ranges::any_of(changes, [&](const Change& change) {
      return change.runs_now && !change.stop && change.cards_now.contains(card);
    });
    const bool moves = std::ranges::any_of(changes, [&](const Change& change) {
      return (change.stop && change.cards_now.contains(card)) || contains(change.gains, card) ||
             (contains(change.loses, card) && !runs_elsewhere);
    });
    if (moves && !known.shared) moving.push_back(card);
  }
  return moving;
}

Owner owner_after(const std::vector<Change>& changes, const PciAddress& card) {
  const Change* runs = nullptr;
  const Change* stands = nullptr;
  int standing = 0;
  for (const Change& change : changes) {
    if (!change.cards_after.contains(card)) continue;
    if (change.runs_after) {
      runs = &change;
    } else if (!change.want->keep_binding) {
      stands = &change;
      ++standing;
    }
  }
  if (runs != nullptr) return Owner::of(runs->now->vmid);
  return standing == 1 ? Owner::of(stands->now->vmid) : Owner::nobody();
}

bool ledger_disagrees(const HostState& state, const Target& target, const std::vector<Change>& changes,
                      const PciAddress& card) {
  if (!state.ledger) return false;
  const auto line = state.ledger->find(card);
  if (line == state.ledger->end() || line->second.kind == Owner::Kind::none) return false;
  if (line->second.kind == Owner::Kind::held) {
    // Over with the cutover; but a card of somebody else's is not ours to give.
    const auto elsewhere = [&](const Container& other) {
      return !target.wants.contains(other.vmid) && other.binds(card);
    };
    return std::ranges::any_of(changes, [&](const Change& change) { return change.concerns(card); }) ||
           std::ranges::none_of(state.containers, elsewhere);
  }
  const Owner wanted = owner_after(changes, card);
  if (wanted == line->second) return false;
  const auto named = target.wants.find(*line->second.container);
  return wanted.kind == Owner::Kind::container || (named != target.wants.end() && named->second.cards);
}

}  // namespace interlock::decide
