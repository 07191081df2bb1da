#include "decide/card_map.h"

#include <algorithm>
#include <vector>

namespace interlock::decide {
namespace {

/// A user's own systemd may have a unit of a declared name; it is another unit (case S05).
bool in_user_manager(const Place& place) {
  return place.cgroup.contains("/user@");
}

bool is_declared(const Policy& policy, const Place& place) {
  if (!place.container || !place.unit || in_user_manager(place)) return false;
  const auto container = policy.containers.find(*place.container);
  if (container == policy.containers.end()) return false;
  return std::ranges::find(container->second.units, *place.unit) != container->second.units.end();
}

/// The container to name for a card that nobody uses: one that runs before one that would start, before one
/// that does neither; of those alike, the ledger's owner.
const Container* binder(const HostState& state, const PciAddress& card) {
  const auto is_owner = [&](const Container& container) {
    if (!state.ledger) return false;
    const auto owner = state.ledger->find(card);
    return owner != state.ledger->end() && owner->second == Owner::of(container.vmid);
  };
  const auto rank = [&](const Container& container) {
    const int running = container.running != RunState::stopped ? 4 : 0;
    return running + (container.can_hold(card) ? 2 : 0) + (is_owner(container) ? 1 : 0);
  };
  const Container* best = nullptr;
  for (const Container& container : state.containers) {
    if (container.binds(card) && (best == nullptr || rank(container) > rank(*best))) best = &container;
  }
  return best;
}

/// Bound to a container, and no process uses it.
CardUse bound_use(const Policy& policy, const Container& container) {
  if (container.running == RunState::unknown) return {MapState::unknown, container.vmid, {}};
  const auto declared = policy.containers.find(container.vmid);
  const bool has_units = declared != policy.containers.end() && !declared->second.units.empty();
  if (container.running == RunState::stopped) return {MapState::deferred, container.vmid, {}};
  if (!has_units) return {MapState::idle, container.vmid, {}};
  bool unseen = false;
  for (const UnitName& name : declared->second.units) {
    const Unit* unit = container.unit(name);
    if (unit == nullptr || would_start(*unit) == Truth::unknown) {
      unseen = true;
    } else if (would_start(*unit) == Truth::yes) {
      // Active and without a process on the card it does not serve it either (S10, U13).
      const Truth live = is_live(*unit);
      return {live == Truth::unknown ? MapState::unknown
              : live == Truth::yes   ? MapState::idle
                                     : MapState::configured,
              container.vmid, name};
    }
  }
  return {unseen ? MapState::unknown : MapState::idle, container.vmid, {}};
}

}  // namespace

std::string_view to_string(MapState state) {
  switch (state) {
    case MapState::serving:
      return "serving";
    case MapState::configured:
      return "configured";
    case MapState::deferred:
      return "deferred";
    case MapState::idle:
      return "idle";
    case MapState::foreign:
      return "foreign";
    case MapState::unknown:
      return "unknown";
    case MapState::none:
      return "none";
  }
  return "unknown";
}

HolderKind kind_of(const HostState& state, const Policy& policy, const Holder& holder) {
  const Place& place = holder.place;
  if (!place.known || !place.container || !policy.containers.contains(*place.container))
    return HolderKind::outside;
  if (!is_declared(policy, place)) {
    const bool service = place.unit && place.unit->text().ends_with(".service") && !in_user_manager(place);
    return service ? HolderKind::undeclared : HolderKind::outside;
  }
  const Container* container = state.container(*place.container);
  const Unit* unit = container == nullptr ? nullptr : container->unit(*place.unit);
  if (unit == nullptr) return HolderKind::unknown;
  switch (is_live(*unit)) {
    case Truth::yes:
      return HolderKind::declared;
    case Truth::no:
      return HolderKind::outside;  // it was stopped, and left a process behind (S01, S02)
    case Truth::unknown:
      return HolderKind::unknown;
  }
  return HolderKind::unknown;
}

CardUse card_use(const HostState& state, const Policy& policy, const Card& card) {
  std::optional<CardUse> foreign;
  std::optional<CardUse> unknown;
  std::optional<CardUse> idle;
  for (const Holder& holder : card.holders) {
    CardUse use{MapState::idle, holder.place.container, holder.place.unit};
    const HolderKind kind = kind_of(state, policy, holder);
    if (holder.uses == Truth::no) {
      if (!idle) idle = use;
    } else if (holder.uses == Truth::unknown || kind == HolderKind::unknown) {
      use.state = MapState::unknown;
      if (!unknown) unknown = use;
    } else if (kind == HolderKind::declared) {
      use.state = MapState::serving;
      return use;
    } else {
      use.state = MapState::foreign;
      if (!foreign) foreign = use;
    }
  }
  if (foreign) return *foreign;
  if (unknown) return *unknown;
  if (!state.unknown_holders.empty()) {
    const Place& place = state.unknown_holders.front().place;
    return {MapState::unknown, place.container, place.unit};
  }
  const Container* container = binder(state, card.pci);
  if (container == nullptr) return idle ? *idle : CardUse{MapState::none, {}, {}};
  // A process that only has the card open is no reason to say less of the container that it is bound to.
  return bound_use(policy, *container);
}

}  // namespace interlock::decide
