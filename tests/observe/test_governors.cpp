#include "catch.h"
#include "observe/governors.h"
#include "tree.h"

using namespace interlock;
using namespace interlock::observe;
using tests::Tree;

TEST_CASE("CPUs are counted by driver and governor") {
  Tree tree;
  const std::string folder = "/sys/devices/system/cpu/cpufreq/";
  for (const std::string policy : {"policy0", "policy1", "policy2"}) {
    tree.file(folder + policy + "/scaling_driver", "acpi-cpufreq\n");
    tree.file(folder + policy + "/scaling_governor", policy == "policy2" ? "powersave\n" : "schedutil\n");
    tree.file(folder + policy + "/affected_cpus", "0 1\n");
  }
  tree.folder(folder + "boost");
  const auto governors = read_governors(tree.host());
  REQUIRE(governors.size() == 2);
  CHECK(governors[0].governor == "powersave");
  CHECK(governors[0].cpus == 2);
  CHECK(governors[1].driver == "acpi-cpufreq");
  CHECK(governors[1].cpus == 4);
  Tree virtual_machine;
  CHECK(read_governors(virtual_machine.host()).empty());
}
