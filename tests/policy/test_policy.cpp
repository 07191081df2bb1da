#include "policy/policy.h"
#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;
using namespace std::chrono_literals;

TEST_CASE("a card is found by its name and by its address") {
  const Policy policy = policy_of(kSound);
  const auto address = *PciAddress::parse("0000:83:00.0");
  REQUIRE(policy.card(address) != nullptr);
  CHECK(policy.card(address)->id.text() == "gpu2");
  CHECK(policy.card(*CardId::parse("gpu2")) == policy.card(address));
  CHECK(policy.card(*CardId::parse("gpu3")) == nullptr);
  CHECK(policy.card_name(address) == "gpu2");
}

TEST_CASE("a card that the policy does not name is called by its address") {
  const auto other = *PciAddress::parse("0000:c3:00.0");
  CHECK(policy_of(kSound).card(other) == nullptr);
  CHECK(policy_of(kSound).card_name(other) == "0000:c3:00.0");
}

TEST_CASE("the shortest grace leaves time for the sample after a glitch, and for each that confirms (11.5)") {
  GuardPolicy guard;
  CHECK(guard.shortest_grace() == 2 * 100ms + kReadDeadline);
  guard.confirm = 1;
  CHECK(guard.shortest_grace() == 2 * 100ms + kReadDeadline);
  guard.confirm = 5;
  CHECK(guard.shortest_grace() == 5 * 100ms + kReadDeadline);
  guard.poll_warm = 20ms;  // two reads that take their whole deadline
  CHECK(guard.shortest_grace() == 2 * kReadDeadline);
}
