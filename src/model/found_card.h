// What a host shows of its cards to somebody who has no policy yet.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "model/identity.h"

namespace interlock {

/// A channel's own limits, as its driver gives them; they can be 0 (amdgpu.md 1.4).
struct ChannelLimits {
  std::optional<Celsius> critical;   // tempN_crit
  std::optional<Celsius> emergency;  // tempN_emergency: the driver powers the host off there (amdgpu.md 1.10)
};

/// A card that the driver amdgpu has.
struct FoundCard {
  PciAddress pci;
  std::optional<std::string> unique_id{};
  std::optional<Bytes> memory{};        // mem_info_vram_total
  std::vector<std::string> channels{};  // labels of its temperatures: "edge", "junction", "mem"
  std::string untold{};                 // why those could not all be told; empty: they could
  std::array<std::optional<ChannelLimits>, 2> limits{};  // by Channel; nothing: it was not seen to have it
};

/// An AMD card that another driver has, or none: lent to a virtual machine, perhaps.
struct OtherCard {
  PciAddress pci;
  std::string driver;  // empty: none
};

struct FoundCards {
  std::vector<FoundCard> cards{};  // by address
  std::vector<OtherCard> others{};
  std::vector<std::string> untold{};  // "whether 0000:c3:00.0 is a card: <why>"
};

}  // namespace interlock
