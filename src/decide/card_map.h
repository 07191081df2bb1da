// Who serves each card (design, section 5).
#pragma once

#include <optional>
#include <string_view>

#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::decide {

enum class MapState {
  serving,     // a declared unit that lives, with a process that uses the card
  configured,  // bound to a running container, one of its units enabled, none at work on the card
  deferred,    // bound to a container that is stopped
  idle,        // bound or open, and nothing uses it or is about to
  foreign,     // used by a process outside every declared unit that lives
  unknown,     // something that decides it could not be seen
  none         // nobody binds it, and nobody has it open
};
std::string_view to_string(MapState state);

struct CardUse {
  MapState state = MapState::unknown;
  std::optional<Vmid> container;  // foreign: nothing is the host
  std::optional<UnitName> unit;   // foreign: nothing is outside any unit
  bool operator==(const CardUse&) const = default;
};

CardUse card_use(const HostState& state, const Policy& policy, const Card& card);

/// Where a holder lives, seen from the policy.
enum class HolderKind {
  declared,    // in a declared unit that lives
  undeclared,  // in another unit of the system, of a container that is declared
  outside,     // in no unit, in a unit that is down, of a container that is not declared, on the host
  unknown      // in a declared unit of which nothing is known
};
HolderKind kind_of(const HostState& state, const Policy& policy, const Holder& holder);

}  // namespace interlock::decide
