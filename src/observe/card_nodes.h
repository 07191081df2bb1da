// Which node belongs to which card, now: numbers and names move between boots, the PCI address does not
// (amdgpu.md, 2.4).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/host.h"
#include "model/identity.h"

namespace interlock::observe {

/// The major number of every DRM node (kernel: Documentation/admin-guide/devices.txt).
inline constexpr unsigned kDrmMajor = 226;

/// Device numbers and node names of the cards, as the host has them now.
struct CardNodes {
  std::map<PciAddress, std::vector<std::string>> names;         // names in <BDF>/drm/: "card1", "renderD129"
  std::map<std::pair<unsigned, unsigned>, PciAddress> numbers;  // major, minor
};

/// Of every PCI device with DRM nodes, the policy's or not.
CardNodes card_nodes(Host& host);

/// "card1" to its card.
std::optional<PciAddress> card_of_node(const CardNodes& nodes, std::string_view name);
std::optional<PciAddress> card_of_number(const CardNodes& nodes, unsigned major, unsigned minor);

}  // namespace interlock::observe
