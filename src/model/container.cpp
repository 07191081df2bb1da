#include "model/container.h"

#include <algorithm>

namespace interlock {

std::set<PciAddress> Container::cards() const {
  std::set<PciAddress> found;
  for (const Binding& binding : bindings) {
    if (binding.when != Binding::When::latent) found.insert(binding.cards.begin(), binding.cards.end());
  }
  return found;
}

bool Container::binds(const PciAddress& card) const {
  return std::ranges::any_of(bindings, [&](const Binding& binding) {
    return binding.when != Binding::When::latent && binding.cards.contains(card);
  });
}

bool Container::can_hold(const PciAddress& card) const {
  if (running != RunState::stopped && generated_cards.contains(card)) return true;
  return binds(card) && (running != RunState::stopped || (autostart.any() && !is_template));
}

const Unit* Container::unit(const UnitName& wanted) const {
  const auto found = std::ranges::find(units, wanted, &Unit::name);
  return found == units.end() ? nullptr : &*found;
}

}  // namespace interlock
