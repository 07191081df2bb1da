// The permissives of cards: what forbids a container to run with one, and what keeps one from coming free.
#pragma once

#include <vector>

#include "decide/plan_change.h"
#include "model/finding.h"

namespace interlock::decide {

void add_unmet_of_cards(const HostState& state, const Policy& policy, const std::vector<Change>& changes,
                        std::vector<Unmet>& found);

}  // namespace interlock::decide
