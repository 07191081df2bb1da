// Where the start gate must hang so that every start of a container comes by it (design, section 6).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/host.h"

namespace interlock::observe {

struct GatePlace {
  std::string path;     // a file of ours
  std::string starts;   // which starts come by there: "starts by Proxmox"
  std::string content;  // as it must be
  Truth installed = Truth::unknown;
  std::string why;  // why it is unknown
};

/// Each place as it is now.
std::vector<GatePlace> gate_places(Host& host);

/// Which starts do not come by the gate; nothing: it cannot be told.
std::optional<std::vector<std::string>> gate_gaps(Host& host);

}  // namespace interlock::observe
