// /proc/<pid>/fdinfo/<fd> of a DRM client (kernel: Documentation/gpu/drm-usage-stats.rst; amdgpu.md, 3.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "model/identity.h"

namespace interlock::observe {

struct FdInfo {
  std::optional<PciAddress> card;       // drm-pdev; nothing: no DRM client of a PCI card
  std::string driver;                   // drm-driver
  std::optional<std::uint64_t> client;  // drm-client-id: the same in every copy of the descriptor
  std::optional<Bytes> memory;          // VRAM and GTT that it has now; nothing: not told, or not understood
  std::optional<Bytes> evicted;         // amd-evicted-vram: VRAM of its own that was pushed out
  std::optional<std::uint64_t> engine_ns;  // all engines together; nothing: no such line
};

/// Keys may come in any order, and unknown ones are passed over.
FdInfo parse_fdinfo(std::string_view text);

}  // namespace interlock::observe
