#include "observe/gpu_metrics.h"

#include <limits>

namespace interlock::observe {
namespace {

/// Little-endian, as every machine with such a card is.
std::uint64_t number_at(std::string_view bytes, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

/// By content revision of format 1. Revision 0 has the field and no driver that fills it (MI50); the layout
/// of 6 and later is not settled; format 2 and 3 are APUs.
std::optional<std::size_t> offset_of_energy(std::uint64_t format, std::uint64_t content) {
  if (format != 1) return std::nullopt;
  if (content >= 1 && content <= 4) return 24;
  if (content == 5) return 88;  // behind 32 JPEG engines
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> energy_accumulator(std::string_view bytes) {
  constexpr std::size_t kHeader = 4;  // u16 size, u8 format, u8 content
  if (bytes.size() < kHeader) return std::nullopt;
  const auto offset = offset_of_energy(number_at(bytes, 2, 1), number_at(bytes, 3, 1));
  if (!offset) return std::nullopt;
  const std::size_t end = *offset + sizeof(std::uint64_t);
  if (bytes.size() < end || number_at(bytes, 0, 2) < end) return std::nullopt;
  const std::uint64_t energy = number_at(bytes, *offset, sizeof(std::uint64_t));
  if (energy == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;  // unset fields are all ones
  return energy;
}

}  // namespace interlock::observe
