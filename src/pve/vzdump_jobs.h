// /etc/pve/jobs.cfg: backup jobs. In stop mode a job stops a container and starts it again whatever its
// onboot says (pct.md, 5.5).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/identity.h"

namespace interlock::pve {

struct VzdumpJob {
  std::string id;
  bool enabled = true;
  std::string mode = "snapshot";  // vzdump's own default
  std::string node;               // empty: on every node
  bool all = false;
  std::set<Vmid> guests;
  std::set<Vmid> excluded;
  std::string pool;  // its members are not in this file
};

Result<std::vector<VzdumpJob>> parse_vzdump_jobs(std::string_view text);

/// The job, when it runs on `node`, takes the container. Unknown: it takes a pool.
Truth takes(const VzdumpJob& job, Vmid vmid, std::string_view node);

}  // namespace interlock::pve
