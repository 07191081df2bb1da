#include "catch.h"
#include "observe/card_fixture.h"
#include "observe/found_cards.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

TEST_CASE("the cards of a machine are found by their driver, with limits by label and never by number") {
  Tree tree;
  write_two_cards(tree);
  tree.file(pci_folder(kGpu1) + "/hwmon/hwmon3/temp2_crit", "110000\n");
  tree.link("/sys/bus/pci/devices/0000:01:00.0/driver", "../../../../bus/pci/drivers/nvme");
  const auto found = find_cards(tree.host());
  REQUIRE(found);
  REQUIRE(found->cards.size() == 2);
  const FoundCard& card = found->cards[0];
  CHECK(card.pci == kGpu1);
  CHECK(card.unique_id == "7a3b1c5d9e2f4a60");
  CHECK(card.memory == 34342961152u);
  CHECK(card.channels == std::vector<std::string>{"edge", "junction", "mem"});
  CHECK(card.untold.empty());
  REQUIRE(card.limits[0]);
  CHECK(card.limits[0]->critical == Celsius::from_degrees(110));
  CHECK(card.limits[0]->emergency == Celsius::from_degrees(115));
  REQUIRE(card.limits[1]);
  CHECK(!card.limits[1]->critical);
  CHECK(card.limits[1]->emergency == Celsius::from_degrees(103));
  CHECK(found->others.empty());
}

TEST_CASE("a card without a hwmon folder is found, and why its temperatures are not known (amdgpu.md 1.3)") {
  Tree tree;
  write_two_cards(tree);
  tree.remove(pci_folder(kGpu1) + "/hwmon");
  tree.remove(pci_folder(kGpu2) + "/hwmon/hwmon4/temp2_label")
      .folder(pci_folder(kGpu2) + "/hwmon/hwmon4/temp2_label");
  const auto found = find_cards(tree.host());
  REQUIRE(found);
  CHECK(found->cards[0].untold.find("no temperatures") != std::string::npos);
  CHECK(!found->cards[0].limits[0]);
  CHECK(found->cards[1].untold.find("temp2_label") != std::string::npos);
  CHECK(!found->cards[1].limits[0]);
  CHECK(found->cards[1].limits[1]);
}

TEST_CASE("a card that another driver has, or none, is told apart from other devices (design, 11.11)") {
  Tree tree;
  write_two_cards(tree);
  tree.link(pci_folder(kGpu2) + "/driver", "../../../../bus/pci/drivers/vfio-pci");
  tree.file(pci_folder(kGpu2) + "/vendor", "0x1002\n").file(pci_folder(kGpu2) + "/class", "0x030000\n");
  tree.file("/sys/bus/pci/devices/0000:c3:00.0/vendor", "0x1002\n")
      .file("/sys/bus/pci/devices/0000:c3:00.0/class", "0x120000\n");
  tree.file("/sys/bus/pci/devices/0000:83:00.1/vendor", "0x1002\n")  // its sound device
      .file("/sys/bus/pci/devices/0000:83:00.1/class", "0x040300\n");
  const auto found = find_cards(tree.host());
  REQUIRE(found);
  CHECK(found->cards.size() == 1);
  REQUIRE(found->others.size() == 2);
  CHECK(found->others[0].pci == kGpu2);
  CHECK(found->others[0].driver == "vfio-pci");
  CHECK(found->others[1].driver.empty());
}

TEST_CASE("a device that cannot be asked what it is is named, never silently no card (unknown is never no)") {
  Tree tree;
  write_two_cards(tree);
  const std::string device = "/sys/bus/pci/devices/0000:c3:00.0";
  tree.file(device + "/vendor", "0x1002\n").folder(device + "/class");
  tree.folder("/sys/bus/pci/devices/0000:c4:00.0");
  const auto found = find_cards(tree.host());
  REQUIRE(found);
  CHECK(found->others.empty());
  REQUIRE(found->untold.size() == 2);
  CHECK(found->untold[0].starts_with("whether 0000:c3:00.0 is a card: cannot read its class"));
  CHECK(found->untold[1].starts_with("whether 0000:c4:00.0 is a card: cannot read its vendor"));
}

TEST_CASE("a machine without PCI has no card; one whose devices cannot be listed is an error") {
  Tree tree;
  const auto none = find_cards(tree.host());
  REQUIRE(none);
  CHECK(none->cards.empty());
  tree.link("/sys/bus/pci/devices", "devices");  // a circle
  CHECK(!find_cards(tree.host()));
}
