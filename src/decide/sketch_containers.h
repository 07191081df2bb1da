// A container as it uses the cards now, for a first policy. Pure.
#pragma once

#include <vector>

#include "model/host_state.h"
#include "policy/remark.h"
#include "policy/sketch.h"

namespace interlock::decide {

/// It binds a card of the state, now or at its next start, or a process in it has one open.
bool uses_cards(const HostState& state, const Container& container);

/// With the services that use a card now as its units. Names of cards are the state's.
SketchContainer sketch_container(const HostState& state, const Container& container,
                                 std::vector<Remark>& remarks);

/// What else the state shows of the cards: processes outside containers or units, virtual machines, and what
/// could not be seen.
void remark_on_state(const HostState& state, std::vector<Remark>& remarks);

}  // namespace interlock::decide
