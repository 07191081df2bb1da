// A cutover as a unit of the host, gpu-interlock-cutover@NAME.service: it goes on when the connection drops
// from which it was asked for (design, section 6).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"

namespace interlock::act {

/// What the unit has written, and where it stands.
struct UnitLook {
  std::string output;
  std::string errors;
  bool over = false;
  int exit = 0;  // when over
};

/// `options` go behind the unit's own. Returns when systemd has taken the start.
Result<void> start_cutover_unit(Host& host, const std::string& cutover,
                                const std::vector<std::string>& options);
Result<UnitLook> look_at_cutover_unit(Host& host, const std::string& cutover);

}  // namespace interlock::act
