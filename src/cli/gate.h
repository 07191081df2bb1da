// The gate's edge: looks at what a container is about to start with, asks decide::gate, and leaves its claim.
#pragma once

#include <string>
#include <vector>

#include "host/host.h"
#include "model/identity.h"

namespace interlock::cli {

struct GateRefusal {
  std::vector<std::string> reasons;  // empty: it may start
  std::vector<std::string> remarks;  // to be logged either way
};

/// `by_unit`: systemd starts it; otherwise lxc itself does, through its hook.
GateRefusal pass_gate(Host& host, Vmid vmid, bool by_unit);

}  // namespace interlock::cli
