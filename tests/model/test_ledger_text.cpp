#include "catch.h"
#include "model/ledger_text.h"

using namespace interlock;

namespace {

const PciAddress kCard1 = *PciAddress::parse("0000:03:00.0");
const PciAddress kCard2 = *PciAddress::parse("0000:83:00.0");

Ledger example() {
  return {{kCard1, Owner::of(*Vmid::parse("120"))}, {kCard2, Owner::held_by("20261130T021407Z-to-qwen38fn")}};
}

}  // namespace

TEST_CASE("a ledger is read back as it was written, every kind of owner (design 11.1)") {
  Ledger ledger = example();
  CHECK(parse_ledger(ledger_text(ledger)) == ledger);
  ledger[kCard2] = Owner::nobody();
  CHECK(parse_ledger(ledger_text(ledger)) == ledger);
  CHECK(parse_ledger(ledger_text({})) == Ledger{});
}

TEST_CASE("any single byte of a ledger changed is noticed, so that no card is given to another container") {
  const std::string text = ledger_text(example());
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const int flip : {1, 2, 16, 32, 128}) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      INFO("byte " << at << " of " << changed);
      CHECK_FALSE(parse_ledger(changed).has_value());
    }
  }
}

TEST_CASE("a ledger cut off anywhere, or with a byte too many, is an error") {
  const std::string text = ledger_text(example());
  for (std::size_t length = 0; length < text.size(); ++length) {
    INFO("first " << length << " bytes");
    CHECK_FALSE(parse_ledger(text.substr(0, length)).has_value());
  }
  CHECK_FALSE(parse_ledger(text + "\n").has_value());
}
