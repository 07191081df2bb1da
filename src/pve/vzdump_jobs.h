// /etc/pve/jobs.cfg: backup jobs. In stop mode a job stops a container and starts it again whatever its
// onboot says (pct.md, 5.5).
#pragma once

#include <map>
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

/// Guests of each pool, by the pool's name, from /etc/pve/user.cfg (pve-access-control, AccessControl.pm):
/// lines "pool:NAME:COMMENT:GUESTS:STORAGES:". What else stands in that file is passed over.
using Pools = std::map<std::string, std::set<Vmid>>;
Pools parse_pools(std::string_view user_cfg);

/// The job, when it runs on `node`, takes the container. Unknown: it takes a pool that is not among `pools`.
Truth takes(const VzdumpJob& job, Vmid vmid, std::string_view node, const Pools& pools);

}  // namespace interlock::pve
