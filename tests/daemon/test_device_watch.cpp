#include "catch.h"
#include "daemon/device_watch.h"

using namespace interlock;
using namespace interlock::daemon;

TEST_CASE("an event of a card's hwmon or node is that card's, whatever bridges stand before it") {
  const auto pci = pci_of("/sys/devices/pci0000:00/0000:00:03.1/0000:02:00.0/0000:03:00.0/hwmon/hwmon4");
  REQUIRE(pci);
  CHECK(pci->text() == "0000:03:00.0");
  CHECK(pci_of("/sys/devices/pci0000:00/0000:03:00.0/drm/card1")->text() == "0000:03:00.0");
  CHECK(pci_of("/sys/devices/pci0000:00/0000:00:03.1")->text() == "0000:00:03.1");
}

TEST_CASE("an event of something that is no PCI device is nobody's") {
  CHECK_FALSE(pci_of("/sys/devices/virtual/hwmon/hwmon0"));
  CHECK_FALSE(pci_of("/sys/devices/pci0000:00"));
  CHECK_FALSE(pci_of(""));
}
