#include "policy/policy.h"

#include <algorithm>

namespace interlock {

Duration GuardPolicy::shortest_grace() const {
  constexpr int kGlitchAndNext = 2;  // one glitch never trips, so the sample after it must have its time
  // And a slow read is no glitch: the next question waits for its answer, which may take the whole deadline.
  return std::max<Duration>(std::max(confirm, kGlitchAndNext) * poll_warm, kReadDeadline) + kReadDeadline;
}

Target Cutover::target() const {
  Target target{.name = name, .wants = {}};
  for (const auto& [vmid, container] : containers) target.wants.emplace(vmid, container.want);
  return target;
}

const PolicyCard* Policy::card(const CardId& id) const {
  const auto found = std::ranges::find(cards, id, &PolicyCard::id);
  return found == cards.end() ? nullptr : &*found;
}

const PolicyCard* Policy::card(const PciAddress& pci) const {
  const auto found = std::ranges::find(cards, pci, &PolicyCard::pci);
  return found == cards.end() ? nullptr : &*found;
}

std::string Policy::card_name(const PciAddress& pci) const {
  const PolicyCard* named = card(pci);
  return named != nullptr ? named->id.text() : pci.text();
}

}  // namespace interlock
