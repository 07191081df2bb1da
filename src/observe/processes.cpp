#include "observe/processes.h"

#include <algorithm>
#include <cerrno>

#include "base/text.h"

namespace interlock::observe {
namespace {

/// A cgroup that went away while we looked has no processes: removing one takes that it is empty.
bool went_away(const Error& error) {
  return is_missing(error) || error.code == ENODEV;
}

void add_cgroup(Host& host, const std::string& folder, CgroupProcesses& found) {
  const auto procs = host.read_file(folder + "/cgroup.procs");
  if (procs) {
    for (const std::string_view line : lines_of(*procs)) {
      if (const auto pid = parse_number<Pid>(line)) found.pids.push_back(*pid);
    }
  } else if (procs.error().code != EOPNOTSUPP && !went_away(procs.error())) {
    // EOPNOTSUPP: a threaded cgroup, whose processes its domain's root lists (kernel: cgroup-v2.rst,
    // Threads).
    found.unlistable.push_back(procs.error().message);
  }
  const auto folders = host.list_subfolders(folder);
  if (!folders) {
    if (!went_away(folders.error())) found.unlistable.push_back(folders.error().message);
    return;
  }
  for (const std::string& name : *folders) add_cgroup(host, folder + "/" + name, found);
}

void sort_unique(std::vector<Pid>& pids) {
  std::ranges::sort(pids);
  const auto doubles = std::ranges::unique(pids);
  pids.erase(doubles.begin(), doubles.end());
}

}  // namespace

Result<std::vector<Pid>> all_processes(Host& host) {
  std::vector<Pid> pids;
  for (const std::string& name : TRY(host.list_folder("/proc"))) {
    if (const auto pid = parse_number<Pid>(name)) pids.push_back(*pid);
  }
  std::ranges::sort(pids);
  return pids;
}

CgroupProcesses container_processes(Host& host, Vmid vmid) {
  CgroupProcesses found;
  // Version 2 alone; and the two trees of a hybrid host that systemd keeps (PVE 7 and 8; pct.md, section 4).
  for (const std::string tree :
       {"/sys/fs/cgroup/lxc/", "/sys/fs/cgroup/unified/lxc/", "/sys/fs/cgroup/systemd/lxc/"}) {
    add_cgroup(host, tree + vmid.text(), found);
  }
  sort_unique(found.pids);
  return found;
}

}  // namespace interlock::observe
