// What makes a target impossible, or a state too little known to plan from: one sentence with its reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decide/plan_change.h"

namespace interlock::decide {

/// Nothing: a plan can be made. `moving` are the cards that must be seen free on the way.
std::optional<std::string> impossible(const HostState& state, const Policy& policy, const Target& target,
                                      const std::vector<Change>& changes,
                                      const std::vector<PciAddress>& moving, const std::string& cutover);

/// A holder that no step ends: its card would never be seen free.
struct ForeignHolder {
  PciAddress card;
  std::string message;
};
std::optional<ForeignHolder> foreign_holder(const HostState& state, const Policy& policy,
                                            const std::vector<Change>& changes,
                                            const std::vector<PciAddress>& moving);

}  // namespace interlock::decide
