#include "catch.h"
#include "model/gate_text.h"
#include "model/sealed_text.h"

using namespace interlock;

namespace {
const auto k120 = Vmid::parse("120").value();
}

TEST_CASE("a claim and an allowance are read as they were written") {
  const Claim claim{k120, {PciAddress::parse("0000:83:00.0").value()}, "boot-1", instant_from_ns(42), true,
                    false};
  CHECK(parse_claim(claim_text(claim)).value() == claim);
  const Allowance allowance{k120, "a \"quoted\" reason\nin two lines", "boot-1", instant_from_ns(42)};
  CHECK(parse_allowance(allowance_text(allowance)).value() == allowance);
}

TEST_CASE("what is not a whole claim is an error, never a claim on nothing") {
  const std::string text = claim_text(
      {k120, {PciAddress::parse("0000:83:00.0").value()}, "boot-1", instant_from_ns(42), true, false});
  CHECK_FALSE(parse_claim(""));
  CHECK_FALSE(parse_claim(text.substr(0, text.size() - 3)));
  CHECK_FALSE(parse_allowance(text));
  CHECK_FALSE(parse_claim(sealed("claim", "{}")));
  CHECK_FALSE(parse_claim(sealed("claim", "[]")));
  CHECK_FALSE(parse_claim(sealed(
      "claim", R"({"vmid":"7","cards":[],"boot_id":"b","made_at_ns":1,"by_unit":true,"opened":false})")));
  CHECK_FALSE(parse_claim(sealed(
      "claim",
      R"({"vmid":"120","cards":["gpu1"],"boot_id":"b","made_at_ns":1,"by_unit":true,"opened":false})")));
  CHECK_FALSE(parse_claim(sealed(
      "claim", R"({"vmid":"120","cards":[],"boot_id":"b","made_at_ns":"1","by_unit":true,"opened":false})")));
}
