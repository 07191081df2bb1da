// Who has one card now, for the ladder: those to be shed, and those that no rung may touch.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "decide/shedding.h"
#include "host/host.h"
#include "policy/policy.h"

namespace interlock::act {

struct CardLook {
  std::vector<Holder> holders;  // without those spared
  std::vector<Holder> spared;
  std::vector<UnknownHolder> unknown;  // that may be in a container with the card, or anywhere
  std::set<Vmid> binding;  // running containers that bind the card; only looked up where it is needed
  std::string blind;       // why nobody could be looked for; then everything that binds it may hold it
  bool empty() const { return holders.empty() && unknown.empty() && blind.empty(); }
  std::vector<decide::ShedTarget> targets() const;
  /// Where the holders are.
  std::set<Vmid> containers() const;
  std::string text() const;  // "llama-server (pid 4711, 120/llamacpp.service)"
};

CardLook look_at_card(Host& host, const Policy& policy, const PciAddress& card);

/// Looks until nobody is left or the time is over, and at least once.
CardLook look_until_empty(Host& host, const Policy& policy, const PciAddress& card, Instant end);

}  // namespace interlock::act
