// What a configuration's host paths are now: grants (pve/bindings.h) to bindings of cards, by PCI address.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "host/host.h"
#include "model/container.h"
#include "observe/card_nodes.h"
#include "pve/bindings.h"

namespace interlock::observe {

/// What one path on the host gives.
struct PathCards {
  std::set<PciAddress> cards;
  bool every_card = false;  // a folder that holds all nodes, those of cards to come too
  std::string unclear;      // why it could not be told; empty: it could
};
PathCards cards_at(Host& host, const CardNodes& nodes, const std::string& path);

struct BoundCards {
  std::vector<Binding> bindings;  // in the configuration's order; a path that is no card's is not among them
  std::vector<std::string> unprovable;  // lines whose path could not be looked at: "LINE: why"
};
/// `running`: a grant that lasts until the stop is over in a container that is seen stopped.
BoundCards bound_cards(Host& host, const CardNodes& nodes, const pve::Grants& given, RunState running);

}  // namespace interlock::observe
