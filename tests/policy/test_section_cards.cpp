#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;

namespace {
std::string cards(std::string_view gpu1) {
  return changed("{ pci: \"0000:03:00.0\" }", gpu1);
}
}  // namespace

TEST_CASE("a card has an address, and may have a unique_id and be shared") {
  const Policy policy = policy_of(cards("{ pci: 0000:C3:00.0, unique_id: 7A3B1C5D9E2F4A60, shared: true }"));
  REQUIRE(policy.cards.size() == 2);
  CHECK(policy.cards[0].id.text() == "gpu1");
  CHECK(policy.cards[0].pci.text() == "0000:c3:00.0");
  CHECK(policy.cards[0].unique_id == "7a3b1c5d9e2f4a60");  // as the driver writes it
  CHECK(policy.cards[0].shared);
  CHECK_FALSE(policy.cards[1].unique_id);
  CHECK_FALSE(policy.cards[1].shared);
}

TEST_CASE("a policy that guards no card is an error") {
  const std::string both = "  gpu1: { pci: \"0000:03:00.0\" }\n  gpu2: { pci: \"0000:83:00.0\" }\n";
  const std::string cutover = std::string(kSound.substr(kSound.find("containers:")));
  std::string text = changed("cards:\n" + both, "cards: {}\n");
  text.erase(text.find("containers:"));
  CHECK(error_of(text) == "2:8: cards: no card is named, so none would be guarded");
}

TEST_CASE("two names for one card are an error: it would be judged, latched and given away as two") {
  CHECK(error_of(changed("0000:83:00.0", "00000000:03:00.0")) ==
        "4:16: cards.gpu2.pci: 0000:03:00.0 is the address of gpu1 already");
  std::string text = cards("{ pci: \"0000:03:00.0\", unique_id: 7a3b1c5d9e2f4a60 }");
  text.replace(text.find("{ pci: \"0000:83:00.0\" }"), 23,
               "{ pci: \"0000:83:00.0\", unique_id: 7A3b1c5d9e2f4a60 }");
  CHECK(error_of(text) == "4:43: cards.gpu2.unique_id: this is the unique_id of gpu1 already");
}

TEST_CASE(
    "a card without an address, or with one that is none, is named once; who names the card hears nothing") {
  CHECK(error_of(cards("{}")) == "3:9: cards.gpu1: pci is missing");
  CHECK(error_of(cards("{ pci: renderD129 }")) ==
        "3:16: cards.gpu1.pci: 'renderD129' is no PCI address; one looks like \"0000:03:00.0\"");
  CHECK(error_of(cards("{ pci: \"03:00.0\" }"))
            .starts_with("3:16: cards.gpu1.pci: '03:00.0' is no PCI address"));
}

TEST_CASE("a unique_id has 16 hexadecimal digits") {
  for (const char* id : {"7a3b", "0x7a3b1c5d9e2f4a", "7a3b1c5d9e2f4a6g", "7a3b1c5d9e2f4a600"}) {
    const std::string error =
        error_of(cards(std::string("{ pci: \"0000:03:00.0\", unique_id: \"") + id + "\" }"));
    CHECK(error == std::string("3:43: cards.gpu1.unique_id: '") + id +
                       "' is no unique_id; it has 16 hexadecimal digits");
  }
}

TEST_CASE("a card's name can stand in a command line and in JSON") {
  CHECK(errors_of(changed("  gpu2:", "  \"gpu 3\": { pci: \"0000:c3:00.0\" }\n  gpu2:")).size() == 1);
  CHECK(errors_of(changed("  gpu2:", "  3: { pci: \"0000:c3:00.0\" }\n  gpu2:")).size() == 1);
}
