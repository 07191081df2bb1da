// Who serves each card (design, section 5).
#pragma once

#include <optional>

#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::decide {

enum class MapState { serving, configured, deferred, idle, foreign, unknown, none };
std::string_view to_string(MapState state);

struct CardUse {
  MapState state = MapState::unknown;
  std::optional<Vmid> container;
  std::optional<UnitName> unit;
};

CardUse card_use(const HostState& state, const Policy& policy, const Card& card);

}  // namespace interlock::decide
