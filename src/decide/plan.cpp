#include "decide/plan.h"

#include <algorithm>

#include "decide/plan_change.h"
#include "decide/plan_steps.h"
#include "decide/plan_text.h"

namespace interlock::decide {
namespace {

/// What a container has that is restarted without being told what to serve: the same again, without waiting
/// for it.
void keep_units(const Change& change, Want& want) {
  if (want.serve || want.retire_all || !change.units_known()) return;
  const Unit* stays = nullptr;
  for (const UnitName& name : change.declared) {
    const Unit* unit = change.now->unit(name);
    if (unit == nullptr || is_retired(*unit) == Truth::unknown) return;
    if (is_retired(*unit) == Truth::yes) continue;
    if (stays != nullptr) return;  // I2 is broken, and nothing can be said of what should be
    stays = unit;
  }
  want.retire_all = stays == nullptr && !change.declared.empty();
  if (stays == nullptr) return;
  want.serve = stays->name;
  want.start = is_live(*stays) == Truth::yes;
  want.enable = is_enabled(*stays);
  want.serving = false;
}

}  // namespace

Result<Plan> plan(const HostState& state, const Policy& policy, const Target& target,
                  const std::string& cutover) {
  Plan made;
  made.target = resolved(state, policy, target);
  made.cutover = cutover;
  made.boot_id = state.boot_id;
  made.steps = TRY(steps_to(state, policy, made.target, cutover));
  int id = 0;
  for (Step& step : made.steps) {
    step.id = ++id;
    step.text = step_text(state, policy, made.target, step);
  }
  for (const auto& [vmid, want] : made.target.wants) {
    if (const Container* container = state.container(vmid)) made.digests[vmid] = container->digest;
  }
  return made;
}

Target resolved(const HostState& state, const Policy& policy, const Target& target) {
  Target whole = target;
  for (const Change& change : changes(state, policy, target)) {
    Want& want = whole.wants[change.now->vmid];
    if (change.runs_after && change.runs_now && change.stop) keep_units(change, want);
    want.settings["onboot"] = change.onboot;
    if (!want.state && change.now->running != RunState::unknown) want.state = change.now->running;
  }
  return whole;
}

Target way_back(const HostState& state, const Policy& policy, const Target& target) {
  Target back;
  back.name = "back to before " + target.name;
  for (const Change& change : changes(state, policy, target)) {
    const Container& now = *change.now;
    Want& want = back.wants[now.vmid];
    if (now.running != RunState::unknown) want.state = now.running;
    want.cards = change.cards_now;
    for (const Binding& binding : now.bindings) {
      if (binding.when == Binding::When::latent || binding.live_after_removal) continue;
      for (const PciAddress& card : binding.cards) {
        if (policy.card(card) != nullptr) want.lines[card].push_back(binding.line);
      }
    }
    const auto as_found = [&](const std::string& key) {
      const auto found = now.settings.find(key);
      want.settings[key] = found == now.settings.end() ? std::nullopt : found->second;
    };
    for (const auto& [key, wanted] : change.want->settings) as_found(key);
    as_found("onboot");
    keep_units(change, want);
    if (want.serve && want.start) want.serving = serves(state, now.vmid, *want.serve, change.cards_now);
  }
  return back;
}

std::vector<Binding> bindings_giving(const Container& container, const std::vector<PciAddress>& cards) {
  std::vector<Binding> found;
  if (cards.empty()) return found;
  const auto gives = [&](const Binding& binding) {
    return binding.every_card ||
           std::ranges::any_of(cards, [&](const PciAddress& card) { return binding.cards.contains(card); });
  };
  const auto counts = [](const Binding& binding) {
    return binding.when != Binding::When::latent && !binding.live_after_removal;
  };
  // One line can be several bindings: a folder whose cards the device rules treat differently.
  for (const Binding& binding : container.bindings) {
    const bool goes =
        counts(binding) && std::ranges::any_of(container.bindings, [&](const Binding& other) {
          return counts(other) && gives(other) && other.when == binding.when && other.line == binding.line;
        });
    if (goes) found.push_back(binding);
  }
  return found;
}

bool serves(const HostState& state, Vmid container, const UnitName& unit, const std::set<PciAddress>& cards) {
  return std::ranges::all_of(cards, [&](const PciAddress& pci) {
    const Card* card = state.card(pci);
    return card != nullptr && std::ranges::any_of(card->holders, [&](const Holder& holder) {
             return holder.place.container == container && holder.place.unit == unit &&
                    holder.uses == Truth::yes;
           });
  });
}

}  // namespace interlock::decide
