#include "catch.h"
#include "observe/card_fixture.h"
#include "observe/sensors.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

TEST_CASE("one look through the seam gives the card's sample, each value from its own card") {
  Tree tree;
  write_two_cards(tree);
  tree.file(pci_folder(kGpu2) + "/hwmon/hwmon4/temp2_input", "90000\n");
  const CardSample first = sample_card(tree.host(), kGpu1);
  CHECK(first.present);
  CHECK(!first.off_the_bus);
  CHECK(first.driver == "amdgpu");
  CHECK(first.unique_id.text == "7a3b1c5d9e2f4a60\n");
  CHECK(first.runtime == RuntimeStatus::active);
  CHECK(first.channel(Channel::junction)->input.text == "62000\n");
  CHECK(first.channel(Channel::memory)->input.text == "73000\n");
  CHECK(!first.energy);
  CHECK(sample_card(tree.host(), kGpu2).channel(Channel::junction)->input.text == "90000\n");
}

TEST_CASE("ten hwmon folders and more are no matter (home-made guards take hwmon?)") {
  Tree tree;
  write_card(tree, kGpu1, 10, 138, "hwmon12");
  CHECK(sample_card(tree.host(), kGpu1).channel(Channel::junction)->input.text == "62000\n");
}

TEST_CASE("a card lent to a virtual machine shows its driver and no sensors (amdgpu.md 1.6)") {
  Tree tree;
  write_card(tree, kGpu1, 1, 129, "hwmon3");
  tree.remove(pci_folder(kGpu1) + "/hwmon").link(pci_folder(kGpu1) + "/driver", "../../drivers/vfio-pci");
  const CardSample sample = sample_card(tree.host(), kGpu1);
  CHECK(sample.driver == "vfio-pci");
  CHECK(sample.channel(Channel::junction)->input.error == ENOENT);
  tree.remove(pci_folder(kGpu1) + "/driver");
  CHECK(sample_card(tree.host(), kGpu1).driver.empty());
}

TEST_CASE("a card that is not in the machine is absent (two-v620 failure 10: another board's addresses)") {
  Tree tree;
  write_card(tree, kGpu1, 1, 129, "hwmon3");
  CHECK(!sample_card(tree.host(), kGpu2).present);
}

TEST_CASE("the PCI folder may be a link, as it is in sysfs") {
  Tree tree;
  write_card(tree, kGpu1, 1, 129, "hwmon3");
  std::filesystem::create_directories(tree.real("/sys/devices/pci0000:00"));
  std::filesystem::rename(tree.real(pci_folder(kGpu1)), tree.real("/sys/devices/pci0000:00/0000:03:00.0"));
  tree.link(pci_folder(kGpu1), "../../../devices/pci0000:00/0000:03:00.0");
  CHECK(sample_card(tree.host(), kGpu1).channel(Channel::junction)->input.text == "62000\n");
}
