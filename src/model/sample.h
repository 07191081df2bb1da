// One timed look at a card's sensors, as the reader saw it: text and errno, nothing judged.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "base/units.h"

namespace interlock {

/// A guarded temperature. The driver's own labels are "junction" and "mem" (amdgpu_pm.c, temp_label).
enum class Channel : std::uint8_t { junction, memory };
inline constexpr std::array kChannels = {Channel::junction, Channel::memory};
std::string_view to_string(Channel channel);     // "junction", "memory"
std::string_view driver_label(Channel channel);  // "junction", "mem"

/// One small file as it was read: its first bytes, or the errno of the open or read.
struct FileRead {
  int error = 0;     // 0: read
  std::string text;  // as given, LF and all; at most kLongest bytes
  static constexpr std::size_t kLongest = 64;
  bool operator==(const FileRead&) const = default;
};

struct ChannelSample {
  FileRead label;  // tempN_label
  FileRead input;  // tempN_input
  bool operator==(const ChannelSample&) const = default;
};

/// `power/runtime_status` (kernel: Documentation/ABI/testing/sysfs-devices-power).
enum class RuntimeStatus : std::uint8_t {
  active,
  suspended,
  suspending,
  resuming,
  error,
  unsupported,
  unknown
};
std::string_view to_string(RuntimeStatus status);
RuntimeStatus runtime_status(std::string_view word);

/// Everything that one look at one card gave.
struct CardSample {
  Instant taken_at{};
  bool present = false;      // the PCI folder is there
  bool off_the_bus = false;  // its `config` reads ffff
  std::string driver;        // "amdgpu", "vfio-pci", "" for none
  FileRead unique_id;        // error ENOENT where the driver gives none
  RuntimeStatus runtime = RuntimeStatus::unknown;
  std::array<std::optional<ChannelSample>, 2> channels;  // by Channel; nothing while suspended: not read
  std::optional<FileRead> edge;                          // temp*_input labelled "edge", where there is one
  std::optional<std::uint64_t> energy;   // gpu_metrics energy_accumulator, where the card has one
  std::optional<unsigned> busy_percent;  // gpu_busy_percent, where it could be read
  bool operator==(const CardSample&) const = default;

  const std::optional<ChannelSample>& channel(Channel which) const {
    return channels[static_cast<std::size_t>(which)];
  }
};

}  // namespace interlock
