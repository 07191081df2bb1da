// Hanging the gate where all starts of a container come by: Proxmox's two units, and lxc's own hook for those
// that start below systemd (design, section 6).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"

namespace interlock::act {

struct GatePlace {
  std::string path;  // a file of ours
  std::string what;  // which starts come by there
  std::string content;
  Truth installed = Truth::unknown;  // it is there, and as we write it
  std::string why;                   // for unknown
};

/// Each place as it is now.
std::vector<GatePlace> gate_places(Host& host);

/// Writes what is missing or different, and lets systemd read it.
Result<void> install_gate(Host& host);
Result<void> remove_gate(Host& host);

}  // namespace interlock::act
