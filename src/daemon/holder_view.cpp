#include "daemon/holder_view.h"

#include <algorithm>
#include <iterator>

namespace interlock::daemon {
namespace {

std::vector<Holder> of_card(const std::vector<Holder>& holders, const PciAddress& card) {
  std::vector<Holder> own;
  std::ranges::copy_if(holders, std::back_inserter(own),
                       [&](const Holder& holder) { return holder.card == card; });
  return own;
}

/// `seen`, and of `before` those that a look at `containers` alone could not see.
template <class Held>
std::vector<Held> merged(std::vector<Held> seen, const std::vector<Held>& before,
                         const std::set<Vmid>& containers) {
  std::ranges::copy_if(before, std::back_inserter(seen), [&](const Held& held) {
    return !held.place.container || !containers.contains(*held.place.container);
  });
  return seen;
}

}  // namespace

void HolderView::take(HolderLook look, const std::optional<std::set<Vmid>>& containers, Instant begun) {
  before_ = std::move(look_);
  look_ = std::move(look);
  if (containers) {
    look_.holders = merged(std::move(look_.holders), before_.holders, *containers);
    look_.unknown = merged(std::move(look_.unknown), before_.unknown, *containers);
  } else {
    all_seen_at_ = begun;
  }
  seen_at_ = begun;
}

void HolderView::take(BindingLook look) {
  bindings_ = std::move(look);
  bindings_known_ = true;
}

bool HolderView::known(Instant now) const {
  return seen_at_ && now - *seen_at_ <= kHoldersKnownFor;
}

decide::Use HolderView::use(const PciAddress& card, Instant now) const {
  const auto own = of_card(look_.holders, card);
  const auto before = of_card(before_.holders, card);
  decide::Use use = decide::use_of(own, before, look_.unknown, own_);
  // A card that says it sleeps is not woken by our not knowing: `working` takes a process that was seen to
  // work.
  if (!known(now)) use.held = use.sheddable = use.used = true;
  return use;
}

std::vector<Holder> HolderView::holders(const PciAddress& card) const {
  return of_card(look_.holders, card);
}

std::vector<decide::ShedTarget> HolderView::targets(const PciAddress& card) const {
  return decide::shed_targets(of_card(look_.holders, card), look_.unknown, binding(card), own_);
}

std::set<Vmid> HolderView::binding(const PciAddress& card) const {
  const auto found = bindings_.running.find(card);
  return found == bindings_.running.end() ? std::set<Vmid>{} : found->second;
}

std::optional<std::set<Vmid>> HolderView::worth_a_look() const {
  if (!seen_at_ || !bindings_known_) return std::nullopt;
  std::set<Vmid> containers;
  for (const auto& [card, vmids] : bindings_.running) containers.insert(vmids.begin(), vmids.end());
  for (const Holder& holder : look_.holders) {
    if (holder.place.container) containers.insert(*holder.place.container);
  }
  return containers;
}

}  // namespace interlock::daemon
