#include "catch.h"
#include "observe/processes.h"
#include "tree.h"

using namespace interlock;
using namespace interlock::observe;
using tests::Tree;

namespace {
const Vmid kVmid = *Vmid::parse("120");
}

TEST_CASE("a container's processes are those of its whole cgroup tree, each once") {
  Tree tree;
  const std::string top = "/sys/fs/cgroup/lxc/120";
  tree.file(top + "/cgroup.procs", "").file(top + "/ns/cgroup.procs", "");
  tree.file(top + "/ns/init.scope/cgroup.procs", "4700\n");
  tree.file(top + "/ns/system.slice/llamacpp.service/cgroup.procs", "4711\n4710\n");
  tree.file(top + "/ns/.lxc/cgroup.procs", "4711\n4999\n");
  tree.file("/sys/fs/cgroup/lxc/1200/cgroup.procs", "1\n");
  const auto found = container_processes(tree.host(), kVmid);
  CHECK(found.pids == std::vector<Pid>{4700, 4710, 4711, 4999});
  CHECK(found.unlistable.empty());
}

TEST_CASE("a stopped container has no processes") {
  Tree tree;
  tree.folder("/sys/fs/cgroup/lxc");
  const auto found = container_processes(tree.host(), kVmid);
  CHECK(found.pids.empty());
  CHECK(found.unlistable.empty());
}

TEST_CASE("a hybrid host keeps them elsewhere: missing in one tree is not gone (pct.md, section 4)") {
  Tree tree;
  tree.file("/sys/fs/cgroup/systemd/lxc/120/ns/cgroup.procs", "4711\n");
  CHECK(container_processes(tree.host(), kVmid).pids == std::vector<Pid>{4711});
}

TEST_CASE("a cgroup that may not be read is said, never taken as empty") {
  Tree tree;
  tree.folder("/sys/fs/cgroup/lxc/120/ns/cgroup.procs");  // EISDIR stands for any refusal
  CHECK(container_processes(tree.host(), kVmid).unlistable.size() == 1);
}

TEST_CASE("processes of the host are the numbers in /proc") {
  Tree tree;
  tree.folder("/proc/1")
      .folder("/proc/200")
      .folder("/proc/30")
      .file("/proc/cmdline", "")
      .folder("/proc/self");
  CHECK(all_processes(tree.host()) == std::vector<Pid>{1, 30, 200});
  Tree empty;
  CHECK(!all_processes(empty.host()));
}
