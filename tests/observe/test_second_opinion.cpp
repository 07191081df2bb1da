#include "catch.h"
#include "observe/second_opinion.h"

using namespace interlock;
using namespace interlock::observe;

TEST_CASE("libsensors' chip numbers are PCI addresses (amdgpu.md 4.4)") {
  CHECK(pci_of_chip(0x0300)->text() == "0000:03:00.0");
  CHECK(pci_of_chip(0x8300)->text() == "0000:83:00.0");
  CHECK(pci_of_chip((1 << 16) | (0x83 << 8) | (0x1f << 3) | 7)->text() == "0001:83:1f.7");
}

TEST_CASE("a card that this machine does not have gets no opinion, again and again") {
  std::vector<Card> cards = {{.id = *CardId::parse("gpu1"), .pci = *PciAddress::parse("ffff:ff:1f.7")}};
  for (int look = 0; look < 2; ++look) read_second_opinion(cards);
  CHECK(!cards.front().second_opinion[0]);
  CHECK(!cards.front().second_opinion[1]);
}
