// Processes as literal files below a Tree: what /proc/<pid> shows of them.
#pragma once

#include <string>

#include "observe/card_fixture.h"

namespace interlock::tests {

inline std::string proc(int pid) {
  return "/proc/" + std::to_string(pid);
}

inline std::string stat_text(int pid, const std::string& comm, unsigned long started) {
  return std::to_string(pid) + " (" + comm + ") S 1 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 " +
         std::to_string(started) + " 0 0\n";
}

/// In `cgroup` ("/lxc/120/ns/system.slice/llamacpp.service"), and listed there; started at tick 1000 + pid.
inline void write_process(Tree& tree, int pid, const std::string& comm, const std::string& cgroup) {
  tree.file(proc(pid) + "/stat", stat_text(pid, comm, 1000ul + static_cast<unsigned long>(pid)));
  tree.file(proc(pid) + "/cgroup", "0::" + cgroup + "\n");
  tree.folder(proc(pid) + "/fd").folder(proc(pid) + "/fdinfo");
  const std::string procs = "/sys/fs/cgroup" + cgroup + "/cgroup.procs";
  tree.file(procs, tree.read(procs) + std::to_string(pid) + "\n");
}

inline void write_fd(Tree& tree, int pid, int fd, const std::string& target, const std::string& fdinfo) {
  tree.link(proc(pid) + "/fd/" + std::to_string(fd), target);
  tree.file(proc(pid) + "/fdinfo/" + std::to_string(fd), "pos:\t0\nflags:\t02100002\nmnt_id:\t25\n" + fdinfo);
}

inline std::string drm_fdinfo(const PciAddress& pci, int client, unsigned long vram_kib,
                              const std::string& more = "") {
  return "drm-driver:\tamdgpu\ndrm-client-id:\t" + std::to_string(client) + "\ndrm-pdev:\t" + pci.text() +
         "\ndrm-memory-vram:\t" + std::to_string(vram_kib) + " KiB\ndrm-memory-gtt: \t2048 KiB\n" + more;
}

}  // namespace interlock::tests
