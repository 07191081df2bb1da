#include "model/host_state.h"

#include <algorithm>

namespace interlock {

const Card* HostState::card(const CardId& id) const {
  const auto found = std::ranges::find(cards, id, &Card::id);
  return found == cards.end() ? nullptr : &*found;
}

const Card* HostState::card(const PciAddress& pci) const {
  const auto found = std::ranges::find(cards, pci, &Card::pci);
  return found == cards.end() ? nullptr : &*found;
}

const Container* HostState::container(Vmid vmid) const {
  const auto found = std::ranges::find(containers, vmid, &Container::vmid);
  return found == containers.end() ? nullptr : &*found;
}

Container* HostState::container(Vmid vmid) {
  const auto found = std::ranges::find(containers, vmid, &Container::vmid);
  return found == containers.end() ? nullptr : &*found;
}

}  // namespace interlock
