// Proxmox's `pct` as argument vectors. An exit status is a hint (pct.md, 1.0): every caller reads afterwards.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/container.h"
#include "model/identity.h"

namespace interlock::act {

class Pct {
 public:
  explicit Pct(Host& host) : host_(host) {}
  Result<CommandEnd> set(Vmid vmid, const Settings& settings, const std::string& digest, Duration deadline);
  Result<CommandEnd> start(Vmid vmid, Duration deadline);
  /// `pct shutdown` and, when it still runs at `patience`, `pct stop`.
  Result<CommandEnd> shut_down(Vmid vmid, Duration patience);
  Result<CommandEnd> stop(Vmid vmid, Duration deadline);
  Result<CommandEnd> execute(Vmid vmid, const std::vector<std::string>& argv, Duration deadline);
  Result<CommandEnd> systemctl(Vmid vmid, const std::vector<std::string>& arguments, Duration deadline);

 private:
  Host& host_;
};

}  // namespace interlock::act
