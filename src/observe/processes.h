// Which processes there are: all of the host's, or those of a container by its cgroup tree.
#pragma once

#include <string>
#include <vector>

#include "host/host.h"
#include "model/identity.h"

namespace interlock::observe {

/// By number. An error: /proc cannot be listed.
Result<std::vector<Pid>> all_processes(Host& host);

struct CgroupProcesses {
  std::vector<Pid> pids;                // by number
  std::vector<std::string> unlistable;  // sentences: cgroups whose processes could not be told
};
/// Of /sys/fs/cgroup/lxc/<vmid> and everything below it; none where the container has no cgroup.
CgroupProcesses container_processes(Host& host, Vmid vmid);

}  // namespace interlock::observe
