#include "catch.h"
#include "observe/nodes_inside.h"
#include "observe/policy_fixture.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

const std::string kInit = "/sys/fs/cgroup/lxc/120/ns/init.scope/cgroup.procs";

Result<std::set<PciAddress>> inside(Tree& tree) {
  return cards_inside(tree.host(), card_nodes(tree.host()), k120);
}

}  // namespace

TEST_CASE("a running container has the cards whose nodes its init sees, whatever its configuration says") {
  Tree tree;
  write_two_cards(tree);
  tree.file(kInit, "812\n").file("/proc/812/root/dev/dri/renderD128", "");
  const auto cards = inside(tree);
  REQUIRE(cards);
  CHECK(*cards == std::set<PciAddress>{kGpu2});
}

TEST_CASE("a container whose init is no systemd is looked into as well") {
  Tree tree;
  write_two_cards(tree);
  tree.file("/sys/fs/cgroup/lxc/120/ns/cgroup.procs", "812\n").file("/proc/812/root/dev/dri/renderD128", "");
  CHECK(inside(tree).value() == std::set<PciAddress>{kGpu2});
}

TEST_CASE("a container that does not run, or has no card's node, has no card inside") {
  Tree tree;
  write_two_cards(tree);
  CHECK(inside(tree).value().empty());
  tree.file(kInit, "812\n").file("/proc/812/root/dev/dri/renderD200", "");
  CHECK(inside(tree).value().empty());
}

TEST_CASE("an init that ends while its /dev is looked at has nothing any more") {
  Tree tree;
  write_two_cards(tree);
  tree.file(kInit, "812\n");
  CHECK(inside(tree).value().empty());
}

TEST_CASE("a /dev that cannot be looked at is not an empty one") {
  Tree tree;
  write_two_cards(tree);
  tree.file(kInit, "812\n").link("/proc/812/root/dev/dri", "dri");
  CHECK(!inside(tree));
}
