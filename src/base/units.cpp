#include "base/units.h"

#include <fmt/format.h>

namespace interlock {

std::string to_string(Celsius temperature) {
  return fmt::format("{:.1f} C", temperature.degrees());
}

std::string bytes_text(Bytes bytes) {
  constexpr Bytes kGiB = 1024 * kMiB;
  if (bytes >= kGiB) return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(kGiB));
  if (bytes >= kMiB) return fmt::format("{} MiB", bytes / kMiB);
  return fmt::format("{} KiB", bytes / kKiB);
}

}  // namespace interlock
