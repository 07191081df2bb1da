#include "catch.h"
#include "observe/card_fixture.h"
#include "observe/card_nodes.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

TEST_CASE("each card's nodes are known by the names in its own PCI folder (amdgpu.md 2.4)") {
  Tree tree;
  write_two_cards(tree);
  tree.folder("/sys/bus/pci/devices/0000:00:1f.0");
  const CardNodes nodes = card_nodes(tree.host());
  CHECK(nodes.names.size() == 2);
  CHECK(nodes.names.at(kGpu1) == std::vector<std::string>{"card1", "renderD129"});
  CHECK(card_of_node(nodes, "renderD128") == kGpu2);
  CHECK(card_of_node(nodes, "card1") == kGpu1);
  CHECK(!card_of_node(nodes, "card0"));
  CHECK(!card_of_node(nodes, "renderD12"));
}

TEST_CASE("device numbers are the kernel's own, and change places with the nodes (S07)") {
  Tree tree;
  write_two_cards(tree);
  tree.file(pci_folder(kGpu1) + "/drm/renderD129/dev", "226:129\n");
  tree.file(pci_folder(kGpu2) + "/drm/renderD128/dev", "226:128\n");
  const CardNodes nodes = card_nodes(tree.host());
  CHECK(card_of_number(nodes, 226, 129) == kGpu1);
  CHECK(card_of_number(nodes, 226, 128) == kGpu2);
  CHECK(!card_of_number(nodes, 195, 129));  // NVIDIA's own nodes are no DRM nodes
}

// One garbage answer once made half of a pair of lines seem to bind nothing: only the other half was
// released.
TEST_CASE("a device number that is not understood leaves the node with the number in its name (I5)") {
  Tree tree;
  write_two_cards(tree);
  tree.file(pci_folder(kGpu2) + "/drm/card2/dev", "22\xff\xfe?");
  tree.file(pci_folder(kGpu2) + "/drm/renderD128/dev", "");
  const CardNodes nodes = card_nodes(tree.host());
  CHECK(card_of_number(nodes, 226, 2) == kGpu2);
  CHECK(card_of_number(nodes, 226, 128) == kGpu2);
}

TEST_CASE("a host without PCI has no cards") {
  Tree tree;
  CHECK(card_nodes(tree.host()).names.empty());
}
