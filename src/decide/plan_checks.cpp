#include "decide/plan_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/power.h"

namespace interlock::decide {
namespace {

using Why = std::optional<std::string>;

Why unknown_container(const HostState& state, const Target& target) {
  for (const auto& [vmid, want] : target.wants) {
    const Container* container = state.container(vmid);
    if (container == nullptr) return fmt::format("container {} does not exist on this node", vmid.text());
    if (container->running == RunState::unknown) {
      return fmt::format("whether container {} runs cannot be told, so it may hold its cards", vmid.text());
    }
    if (container->is_template && want.state == RunState::running) {
      return fmt::format("container {} is a template, which never runs", vmid.text());
    }
  }
  return std::nullopt;
}

Why unknown_units(const Change& change) {
  const std::string vmid = change.now->vmid.text();
  const auto& serve = change.want->serve;
  if (serve && std::ranges::find(change.declared, *serve) == change.declared.end()) {
    return fmt::format("{} is not among the units that the policy declares for container {}", serve->text(),
                       vmid);
  }
  if (change.runs_now && change.runs_after && change.asks_units() && !change.units_known()) {
    return fmt::format("what the units of container {} do cannot be told: {}", vmid,
                       change.now->units_error.empty() ? "it has not answered" : change.now->units_error);
  }
  if (!change.runs_now && change.runs_after && !change.asks_units() && change.declared.size() > 1) {
    return fmt::format(
        "which of its {} units container {} starts cannot be told while it is stopped, and more than one may "
        "be "
        "enabled: the target must say which is to serve",
        change.declared.size(), vmid);
  }
  return std::nullopt;
}

/// It goes on running with the card; or its configuration will bind it, and it will run or start by itself.
bool can_hold_after(const Change& change, const PciAddress& card) {
  if (change.runs_now && !change.stop && change.now->can_hold(card)) return true;
  const bool kept = change.want->keep_binding && !change.runs_after && change.now->binds(card);
  if (!change.cards_after.contains(card) && !kept) return false;
  Autostart start = change.now->autostart;
  start.onboot = change.onboot && is_on(*change.onboot);
  return change.runs_after || start.any();
}

/// Who can hold the card in the end, target or not.
std::vector<std::string> holders_after(const HostState& state, const Target& target,
                                       const std::vector<Change>& changes, const PciAddress& card) {
  std::vector<std::string> holders;
  for (const Change& change : changes) {
    if (can_hold_after(change, card)) holders.push_back(change.now->vmid.text());
  }
  for (const Container& other : state.containers) {
    if (!target.wants.contains(other.vmid) && other.can_hold(card)) {
      holders.push_back(other.vmid.text() + ", which this target does not name");
    }
  }
  const auto vms = state.vms.find(card);
  if (vms != state.vms.end()) holders.insert(holders.end(), vms->second.begin(), vms->second.end());
  return holders;
}

Why wrong_cards(const HostState& state, const Policy& policy, const Target& target,
                const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    for (const PciAddress& card : change.cards_after) {
      if (policy.card(card) == nullptr) {
        return fmt::format("container {} is to have the card {}, which the policy does not know",
                           change.now->vmid.text(), card.text());
      }
    }
  }
  for (const PolicyCard& card : policy.cards) {
    const auto concerns = [&](const Change& change) { return change.cards_after.contains(card.pci); };
    if (card.shared || std::ranges::none_of(changes, concerns)) continue;
    const auto holders = holders_after(state, target, changes, card.pci);
    if (holders.size() > 1) {
      return fmt::format("{} would be with more than one: {}", card.id.text(), joined(holders, " and "));
    }
  }
  return std::nullopt;
}

Why not_ours_to_release(const Policy& policy, const Change& change) {
  for (const Binding& binding : change.release) {
    if (binding.form != Binding::Form::included) continue;
    return fmt::format(
        "container {} has {} from a file that its configuration includes, by the line \"{}\": take "
        "it out there",
        change.now->vmid.text(), binding.cards.empty() ? "cards" : policy.card_name(*binding.cards.begin()),
        binding.line);
  }
  return std::nullopt;
}

Why ledger_closed(const HostState& state, const Policy& policy, const std::string& cutover) {
  if (!state.ledger) {
    return fmt::format("the ledger cannot be read ({}): gpu-interlock ledger rebuild", state.ledger_error);
  }
  if (!state.cutover || state.cutover->id == cutover) return std::nullopt;
  for (const auto& [card, owner] : *state.ledger) {
    if (owner.kind == Owner::Kind::held && owner.cutover == state.cutover->id) {
      return fmt::format("{} is held by the open cutover {}: gpu-interlock recover", policy.card_name(card),
                         state.cutover->id);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ForeignHolder> foreign_holder(const HostState& state, const Policy& policy,
                                            const std::vector<Change>& changes,
                                            const std::vector<PciAddress>& moving) {
  for (const PciAddress& card : moving) {
    const Card* seen = state.card(card);
    if (seen == nullptr) continue;
    for (const Holder& holder : seen->holders) {
      const bool ends = std::ranges::any_of(changes, [&](const Change& change) {
        return change.stop && holder.place.container == change.now->vmid;
      });
      if (ends) continue;
      const std::string where =
          holder.place.container ? "in container " + holder.place.container->text() : "of the host";
      return ForeignHolder{
          card, fmt::format("{} is held by {} (process {}, {}), which nothing in this cutover ends",
                            policy.card_name(card), printable(holder.command), holder.process.pid, where)};
    }
  }
  return std::nullopt;
}

std::optional<std::string> impossible(const HostState& state, const Policy& policy, const Target& target,
                                      const std::vector<Change>& changes,
                                      const std::vector<PciAddress>& moving, const std::string& cutover) {
  if (auto why = unknown_container(state, target)) return why;
  for (const Change& change : changes) {
    if (auto why = unknown_units(change)) return why;
    if (auto why = not_ours_to_release(policy, change)) return why;
  }
  if (auto why = wrong_cards(state, policy, target, changes)) return why;
  if (auto foreign = foreign_holder(state, policy, changes, moving)) return foreign->message;
  return ledger_closed(state, policy, cutover);
}

}  // namespace interlock::decide
