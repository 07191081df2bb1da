// The ladder for a card whose holders cannot be seen now: the looks for them hang behind the card
// (amdgpu.md, 3.3), or nobody is seen and it stays hot. It looks for nobody; what it acts on was seen before,
// or binds the card.
#pragma once

#include <set>
#include <vector>

#include "act/shed.h"

namespace interlock::act {

struct Unseen {
  std::vector<decide::ShedTarget> last_seen;  // killed first
  std::set<Vmid> containers;  // stopped when that is not enough: they bind the card, or held it
};

/// `empty` in the report: nothing runs any more in all that it acted on.
ShedReport shed_unseen(Host& host, const Policy& policy, const PolicyCard& card, const Unseen& unseen,
                       const ShedProgress& progress);

}  // namespace interlock::act
