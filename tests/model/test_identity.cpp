#include "catch.h"
#include "model/identity.h"

using namespace interlock;

TEST_CASE("a card's address is normalised, so that two spellings are not two cards") {
  CHECK(PciAddress::parse("0000:03:00.0")->text() == "0000:03:00.0");
  CHECK(PciAddress::parse("0000:C3:00.0")->text() == "0000:c3:00.0");
  CHECK(PciAddress::parse("00000000:03:00.0")->text() == "0000:03:00.0");
  CHECK(PciAddress::parse("10000:03:00.0") == std::nullopt);
}

TEST_CASE("what is no PCI address is none: a wrong one must not guard nothing (two-v620 failure 10)") {
  for (const char* text : {"", "03:00.0", "0000:03:00", "0000:03:00.8", "0000:03:20.0", "0000:03:00.0 ",
                           "0000-03:00.0", "000g:03:00.0", "0001000003:00.0", "card1"}) {
    INFO(text);
    CHECK_FALSE(PciAddress::parse(text).has_value());
  }
}

TEST_CASE("a VMID is 100 to 999999999, without signs or leading zeros (pve-vmid)") {
  CHECK(Vmid::parse("100")->number() == 100);
  CHECK(Vmid::parse("999999999")->text() == "999999999");
  for (const char* text : {"", "99", "0120", "1000000000", "+120", "-120", "120 ", "12o", "4294967396"}) {
    INFO(text);
    CHECK_FALSE(Vmid::parse(text).has_value());
  }
}

TEST_CASE("a unit's name has a suffix that systemd knows, and no character that is an option or a path") {
  CHECK(UnitName::parse("llamacpp.service")->text() == "llamacpp.service");
  CHECK(UnitName::parse("llama@qwen\\x2d36.service").has_value());
  CHECK(UnitName::parse("docker-0123.scope").has_value());
  for (const char* text : {"", ".service", "llamacpp", "llamacpp.exe", "--now.service", "a/b.service",
                           "@.service", "a b.service"}) {
    INFO(text);
    CHECK_FALSE(UnitName::parse(text).has_value());
  }
  CHECK_FALSE(UnitName::parse(std::string(250, 'a') + ".service").has_value());
}

TEST_CASE("a card's name begins with a letter and fits a file name") {
  CHECK(CardId::parse("gpu1").has_value());
  for (const char* text : {"", "1gpu", "-gpu", "gpu/1", "gpu 1", "abcdefghijklmnopqrstuvwxyz1234567"}) {
    INFO(text);
    CHECK_FALSE(CardId::parse(text).has_value());
  }
}
