#include "catch.h"
#include "observe/policy_fixture.h"
#include "observe/workers.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {
const std::string kStart = "UPID:pve:0001E240:00A1B2C3:66F0A1B2:vzstart:120:root@pam:";
}

TEST_CASE("a worker's title tells its type and guest (pct.md 1.0)") {
  const auto title = parse_worker_title("task " + kStart + std::string(20, '\0'));
  REQUIRE(title);
  CHECK(title->upid == kStart);
  CHECK(title->type == "vzstart");
  CHECK(title->guest == k120);
  CHECK(!parse_worker_title("task UPID:pve:0001E240:00A1B2C3:66F0A1B2:startall::root@pam:")->guest);
  CHECK(!parse_worker_title("vim task UPID:"));
  CHECK(!parse_worker_title("task UPID:pve:1"));
  CHECK(!parse_worker_title(""));
}

TEST_CASE("an orphaned worker of an earlier run is seen, others' guests are not our matter") {
  Tree tree;
  tree.file("/proc/10/cmdline", "task " + kStart).folder("/proc/11");
  tree.file("/proc/12/cmdline", "task UPID:pve:0001E240:00A1B2C3:66F0A1B2:vzstop:999:root@pam:");
  tree.file("/proc/13/cmdline", "task UPID:pve:0001E240:00A1B2C3:66F0A1B2:qmstart:120:root@pam:");
  tree.file("/proc/14/cmdline", "task UPID:pve:0001E240:00A1B2C3:66F0A1B2:hastop:120:root@pam:");
  std::vector<std::string> cannot_tell;
  const auto found = workers_on(tree.host(), {k120, k123}, cannot_tell);
  REQUIRE(found.size() == 2);
  CHECK(found.front() == kStart);
  CHECK(cannot_tell.empty());
}

TEST_CASE("without /proc nobody can tell") {
  Tree tree;
  std::vector<std::string> cannot_tell;
  CHECK(workers_on(tree.host(), {k120}, cannot_tell).empty());
  CHECK(cannot_tell.size() == 1);
}
