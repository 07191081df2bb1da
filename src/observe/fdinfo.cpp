#include "observe/fdinfo.h"

#include <array>
#include <limits>

#include "base/text.h"

namespace interlock::observe {
namespace {

/// "2068 KiB"; without a unit, bytes.
std::optional<Bytes> parse_size(std::string_view text) {
  const auto parts = words(text);
  if (parts.empty() || parts.size() > 2) return std::nullopt;
  const auto number = parse_number<std::uint64_t>(parts[0]);
  if (!number) return std::nullopt;
  Bytes unit = 1;
  if (parts.size() == 2) {
    if (parts[1] == "KiB")
      unit = kKiB;
    else if (parts[1] == "MiB")
      unit = kMiB;
    else if (parts[1] != "B")
      return std::nullopt;
  }
  if (*number > std::numeric_limits<Bytes>::max() / unit) return std::nullopt;
  return *number * unit;
}

/// "1234 ns", or the number alone.
std::optional<std::uint64_t> parse_nanoseconds(std::string_view text) {
  const auto parts = words(text);
  if (parts.empty() || parts.size() > 2 || (parts.size() == 2 && parts[1] != "ns")) return std::nullopt;
  return parse_number<std::uint64_t>(parts[0]);
}

/// One region's memory under its names. Kernels give the same memory under two of them: `memory` is the older
/// word for `resident`. `total` counts what was moved away too, so it stands in only where nothing else is
/// given.
struct Region {
  std::string_view name;
  std::array<std::optional<Bytes>, 3> sizes;  // resident, memory, total
  bool damaged = false;

  void take(std::string_view key, std::string_view value) {
    constexpr std::array<std::string_view, 3> kKeys = {"drm-resident-", "drm-memory-", "drm-total-"};
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
      if (key.size() != kKeys[i].size() + name.size() || !key.starts_with(kKeys[i]) || !key.ends_with(name))
        continue;
      sizes[i] = parse_size(value);
      if (!sizes[i]) damaged = true;
    }
  }
  std::optional<Bytes> size() const {
    for (const auto& size : sizes) {
      if (size) return size;
    }
    return std::nullopt;
  }
};

std::optional<Bytes> sum_of(const Region& vram, const Region& gtt) {
  if (vram.damaged || gtt.damaged || (!vram.size() && !gtt.size())) return std::nullopt;
  Bytes sum = 0;
  for (const Region* region : {&vram, &gtt}) {
    if (const auto size = region->size()) sum += *size;
  }
  return sum;
}

}  // namespace

FdInfo parse_fdinfo(std::string_view text) {
  FdInfo info;
  Region vram{.name = "vram", .sizes = {}};
  Region gtt{.name = "gtt", .sizes = {}};
  for (const std::string_view line : lines_of(text)) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (key == "drm-pdev") {
      info.card = PciAddress::parse(value);
    } else if (key == "drm-driver") {
      info.driver = value;
    } else if (key == "drm-client-id") {
      info.client = parse_number<std::uint64_t>(value);
    } else if (key == "amd-evicted-vram") {
      info.evicted = parse_size(value);
    } else if (key.starts_with("drm-engine-") && !key.starts_with("drm-engine-capacity-")) {
      if (const auto time = parse_nanoseconds(value))
        info.engine_ns = info.engine_ns ? *info.engine_ns + *time : *time;
    } else {
      vram.take(key, value);
      gtt.take(key, value);
    }
  }
  info.memory = sum_of(vram, gtt);
  return info;
}

}  // namespace interlock::observe
