// I1 and I2 over a host state, as it is and as its next boot would make it.
#pragma once

#include <string>
#include <vector>

#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::decide {

struct Breach {
  std::string invariant;  // "I1", "I2"
  std::string message;
  std::set<Vmid> containers;
  std::optional<PciAddress> card;
  bool operator==(const Breach&) const = default;
};

std::vector<Breach> breaches(const HostState& state, const Policy& policy);

/// The host after a power cut and a boot without us: who has autostart runs, pending settings are applied, enabled
/// units are active, nobody else runs.
HostState after_boot(const HostState& state);

}  // namespace interlock::decide
