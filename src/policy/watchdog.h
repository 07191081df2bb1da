// What a shell watchdog's environment file says: its keys to typed values. What could not be taken is a
// remark.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "base/units.h"
#include "model/identity.h"
#include "policy/environment_file.h"

namespace interlock {

/// "this card's load is that container's unit"
struct ServiceOfCard {
  PciAddress card;
  Vmid vmid;
  UnitName unit;
  int line = 0;
  bool operator==(const ServiceOfCard&) const = default;
};

struct Watchdog {
  std::vector<PciAddress> cards;        // GPU_PCI_ADDRESS, then those of the map, each once
  std::vector<ServiceOfCard> services;  // GPU_SERVICE_MAP, each once
  std::optional<Celsius> trip_junction;
  std::optional<Celsius> trip_memory;
  std::optional<Celsius> resume;
  std::optional<Duration> poll;
  std::optional<bool> auto_resume;
  std::optional<std::string> action;  // WATCHDOG_ACTION, as it stands
  int action_line = 0;
};

Watchdog read_watchdog(const EnvironmentFile& file, std::vector<Remark>& remarks);

}  // namespace interlock
