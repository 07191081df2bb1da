#include "decide/invariants.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/power.h"

namespace interlock::decide {
namespace {

enum class Moment { now, after_boot };

/// lxc.start.auto starts from what was generated, whatever the configuration says by now (pct.md, 5.9).
bool starts_from_generated(const Container& container, const PciAddress& card) {
  return container.autostart.lxc_start_auto && !container.is_template &&
         container.generated_cards.contains(card);
}

/// A `lock:` is no reason to believe that it stays away after a boot: others lift it.
bool can_hold(const Container& container, const PciAddress& card, Moment moment) {
  if (starts_from_generated(container, card)) return true;
  if (moment == Moment::now) return container.can_hold(card);
  return container.autostart.any() && !container.is_template &&
         std::ranges::any_of(container.bindings, [&](const Binding& binding) {
           return binding.when != Binding::When::latent && !binding.live_after_removal &&
                  binding.cards.contains(card);
         });
}

std::string how(const Container& container, Moment moment) {
  if (moment == Moment::after_boot) return "starts by itself at the next boot";
  switch (container.running) {
    case RunState::running:
      return "runs";
    case RunState::unknown:
      return "may run: nobody can tell";
    case RunState::stopped:
      return "starts by itself";
  }
  return "runs";
}

/// Of a unit that is declared and has no answer, nothing is known.
Truth retired(const Container& container, const UnitName& name, Moment moment) {
  const Unit* unit = container.unit(name);
  if (unit == nullptr) return Truth::unknown;
  if (moment == Moment::now) return is_retired(*unit);
  switch (would_start(*unit)) {
    case Truth::yes:
      return Truth::no;
    case Truth::no:
      return Truth::yes;
    case Truth::unknown:
      return Truth::unknown;
  }
  return Truth::unknown;
}

void check_exclusive(const HostState& state, const PolicyCard& card, Moment moment,
                     std::vector<Breach>& found) {
  if (card.shared) return;
  const auto vms = state.vms.find(card.pci);
  const std::size_t machines = vms == state.vms.end() ? 0 : vms->second.size();
  const auto holds = [&](const Container& container) { return can_hold(container, card.pci, moment); };
  if (machines + static_cast<std::size_t>(std::ranges::count_if(state.containers, holds)) < 2) return;

  Breach breach{"I1", {}, {}, card.pci};
  std::vector<std::string> holders;
  for (const Container& container : state.containers) {
    if (!holds(container)) continue;
    breach.containers.insert(container.vmid);
    holders.push_back(fmt::format("{} ({})", container.vmid.text(), how(container, moment)));
  }
  if (machines > 0) holders.insert(holders.end(), vms->second.begin(), vms->second.end());
  breach.message = fmt::format("{} can be held by more than one: {}", card.id.text(), joined(holders, ", "));
  found.push_back(std::move(breach));
}

void check_retired(const Container& container, const PolicyContainer& declared, Moment moment,
                   std::vector<Breach>& found) {
  const auto stays = [&](const UnitName& unit) { return retired(container, unit, moment) == Truth::no; };
  if (std::ranges::count_if(declared.units, stays) < 2) return;
  std::vector<std::string> units;
  for (const UnitName& unit : declared.units) {
    if (stays(unit)) units.push_back(unit.text());
  }
  found.push_back({"I2",
                   fmt::format("container {} has more than one of its units enabled or active: {}",
                               container.vmid.text(), joined(units, ", ")),
                   {container.vmid},
                   std::nullopt});
}

std::vector<Breach> breaches_at(const HostState& state, const Policy& policy, Moment moment) {
  std::vector<Breach> found;
  for (const PolicyCard& card : policy.cards) check_exclusive(state, card, moment, found);
  for (const Container& container : state.containers) {
    const auto declared = policy.containers.find(container.vmid);
    if (declared != policy.containers.end()) check_retired(container, declared->second, moment, found);
  }
  return found;
}

}  // namespace

std::vector<Breach> breaches(const HostState& state, const Policy& policy) {
  return breaches_at(state, policy, Moment::now);
}

std::vector<Breach> boot_breaches(const HostState& state, const Policy& policy) {
  return breaches_at(state, policy, Moment::after_boot);
}

std::vector<std::string> cannot_tell(const HostState& state, const Policy& policy) {
  std::vector<std::string> found;
  for (const Container& container : state.containers) {
    const auto declared = policy.containers.find(container.vmid);
    if (declared == policy.containers.end()) continue;
    if (container.running == RunState::stopped && !comes_up_at_boot(container)) continue;
    std::vector<std::string> unknown;
    std::ptrdiff_t may_run = 0;
    for (const UnitName& unit : declared->second.units) {
      const Truth answer = retired(container, unit, Moment::now);
      if (answer == Truth::unknown) unknown.push_back(unit.text());
      if (answer != Truth::yes) ++may_run;
    }
    if (unknown.empty() || may_run < 2) continue;
    const std::string why = container.running == RunState::stopped ? ", which is stopped and starts by itself"
                            : container.units_error.empty()        ? ""
                                                                   : " (" + container.units_error + ")";
    found.push_back(
        fmt::format("whether at most one unit of container {} is enabled or active{}: nothing is known of {}",
                    container.vmid.text(), why, joined(unknown, ", ")));
  }
  return found;
}

HostState after_boot(const HostState& state) {
  HostState booted = state;
  for (Container& container : booted.containers) {
    const bool starts = comes_up_at_boot(container);
    lose_power(container);
    if (!starts) continue;
    const std::set<PciAddress> generated = container.generated_cards;
    come_up(container);
    if (container.autostart.lxc_start_auto) container.generated_cards = generated;  // nobody makes it anew
  }
  for (Card& card : booted.cards) card.holders.clear();
  booted.unknown_holders.clear();
  booted.workers.clear();
  return booted;
}

}  // namespace interlock::decide
