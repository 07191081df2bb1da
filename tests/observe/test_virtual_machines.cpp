#include "catch.h"
#include "observe/policy_fixture.h"
#include "observe/virtual_machines.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

std::vector<std::string> on_gpu1(Tree& tree, std::vector<std::string>* cannot_tell = nullptr) {
  std::vector<std::string> unseen;
  auto found = machines_with_cards(tree.host(), two_v620_policy(), "pve",
                                   cannot_tell != nullptr ? *cannot_tell : unseen);
  return found[kGpu1];
}

const std::string kVm = "/etc/pve/qemu-server/200.conf";

}  // namespace

TEST_CASE("hostpci values name functions, slots, several places, or a mapping") {
  CHECK(parse_hostpci("0000:03:00.0,pcie=1").places == std::vector<std::string>{"0000:03:00.0"});
  CHECK(parse_hostpci("03:00.0").places == std::vector<std::string>{"0000:03:00.0"});
  CHECK(parse_hostpci("host=83:00,x-vga=1").places == std::vector<std::string>{"0000:83:00"});
  CHECK(parse_hostpci("0000:0A:00.0;0B:00.0").places ==
        std::vector<std::string>{"0000:0a:00.0", "0000:0b:00.0"});
  CHECK(parse_hostpci("mapping=gpu1,pcie=1").mapping == "gpu1");
  CHECK(parse_hostpci("").places.empty());
}

TEST_CASE("a mapping is what it says for this node") {
  const std::string text =
      "gpu1\n\tdescription the first\n\tmap id=1002:73a1,node=pve,path=0000:03:00.0\n"
      "\tmap id=1002:73a1,node=other,path=0000:41:00.0\n\npci: gpu2\n\tmap node=pve,path=83:00.0;83:00.1\n";
  CHECK(mapped_places(text, "gpu1", "pve") == std::vector<std::string>{"0000:03:00.0"});
  CHECK(mapped_places(text, "gpu2", "pve") == std::vector<std::string>{"0000:83:00.0", "0000:83:00.1"});
  CHECK(mapped_places(text, "gpu3", "pve").empty());
}

TEST_CASE("a VM counts while it runs, or where it would start by itself (design 11.11)") {
  Tree tree;
  tree.file(kVm, "name: win\nhostpci0: 0000:03:00,pcie=1\n");
  CHECK(on_gpu1(tree).empty());
  tree.file("/var/run/qemu-server/200.pid", "4711\n");
  CHECK(on_gpu1(tree) == std::vector<std::string>{"VM 200"});
  tree.remove("/var/run/qemu-server/200.pid");
  tree.file(kVm, "onboot: 1\nhostpci0: 03:00.0\n");
  CHECK(on_gpu1(tree) == std::vector<std::string>{"VM 200"});
  tree.file(kVm, "hostpci0: 03:00.0\n");
  tree.file("/etc/pve/ha/resources.cfg", "vm: 200\n");
  CHECK(on_gpu1(tree) == std::vector<std::string>{"VM 200"});
  tree.file("/etc/pve/ha/resources.cfg", "vm: 200\n\tstate stopped\n");
  CHECK(on_gpu1(tree).empty());
}

TEST_CASE("a VM with another device, or with the card in a snapshot only, is no matter") {
  Tree tree;
  tree.file("/var/run/qemu-server/200.pid", "4711\n");
  tree.file(kVm, "hostpci0: 0000:04:00.0\n\n[old]\nhostpci0: 0000:03:00.0\n");
  CHECK(on_gpu1(tree).empty());
  tree.file(kVm, "name: x\n\n[PENDING]\nhostpci0: 0000:03:00.0\n");
  CHECK(on_gpu1(tree).size() == 1);
}

TEST_CASE("a mapping that cannot be looked up is said") {
  Tree tree;
  tree.file(kVm, "onboot: 1\nhostpci0: mapping=gpu1\n");
  std::vector<std::string> cannot_tell;
  CHECK(on_gpu1(tree, &cannot_tell).empty());
  CHECK(cannot_tell.size() == 1);
  tree.file("/etc/pve/mapping/pci.cfg", "gpu1\n\tmap node=pve,path=0000:03:00.0\n");
  CHECK(on_gpu1(tree) == std::vector<std::string>{"VM 200"});
}
