// The card's own binary table, `gpu_metrics` (kernel: drivers/gpu/drm/amd/include/kgd_pp_interface.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace interlock::observe {

/// As many of its first bytes as any counter that we know of needs.
inline constexpr std::size_t kGpuMetricsBytes = 96;

/// The energy counter, in the card's own unit: it moves while the card is awake and its firmware answers.
/// Nothing: a table without one, of a form that we do not know, not whole, or with the field unset.
std::optional<std::uint64_t> energy_accumulator(std::string_view bytes);

}  // namespace interlock::observe
