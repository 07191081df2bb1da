// What a systemd says of one unit (systemctl show; org.freedesktop.systemd1(5)).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/identity.h"

namespace interlock {

enum class LoadState : std::uint8_t { loaded, not_found, masked, bad, unknown };
enum class ActiveState : std::uint8_t {
  active,
  reloading,
  inactive,
  failed,
  activating,
  deactivating,
  unknown
};
enum class UnitFileState : std::uint8_t {
  enabled,
  enabled_runtime,
  linked,
  linked_runtime,
  alias,
  masked,
  masked_runtime,
  is_static,
  indirect,
  disabled,
  generated,
  transient,
  bad,
  none,
  unknown
};

struct Unit {
  UnitName name;
  LoadState load = LoadState::unknown;
  ActiveState active = ActiveState::unknown;
  UnitFileState file = UnitFileState::unknown;
  std::string sub;                        // SubState, as given
  std::optional<std::uint32_t> restarts;  // NRestarts
  std::vector<std::string>
      started_by;  // enabled or active units that would start it: sockets, timers, targets
  bool operator==(const Unit&) const = default;
};

/// It runs, or is on its way up or down: anything but a seen inactive, failed or not-found.
Truth is_live(const Unit& unit);
/// Something would start it at the container's next boot or later, of itself.
Truth would_start(const Unit& unit);
/// Neither: both seen (I2). `not-found` counts as retired (U03).
Truth is_retired(const Unit& unit);

std::string_view to_string(LoadState state);
std::string_view to_string(ActiveState state);
std::string_view to_string(UnitFileState state);
LoadState load_state(std::string_view word);
ActiveState active_state(std::string_view word);
UnitFileState unit_file_state(std::string_view word);

}  // namespace interlock
