#include "catch.h"
#include "daemon/shed_worker.h"

using namespace interlock;
using namespace interlock::daemon;
using namespace std::chrono_literals;

namespace {

Instant at(Duration since_boot) {
  return Instant{since_boot};
}

Verdict measured(int degrees) {
  return {VerdictKind::measured, Celsius::from_degrees(degrees), {}, {}};
}

}  // namespace

TEST_CASE("three refills within a minute are too many; three in a long time are not (11.10)") {
  Refills refills;
  refills.add(at(0s));
  refills.add(at(30s));
  CHECK_FALSE(refills.too_many(at(30s)));
  refills.add(at(59s));
  CHECK(refills.too_many(at(60s)));
  CHECK_FALSE(refills.too_many(at(61s)));
  refills.add(at(100s));
  CHECK_FALSE(refills.too_many(at(100s)));
  CHECK(refills.total() == 4);
}

TEST_CASE("what a worker did comes through as it was, for every rung") {
  for (const act::Rung rung :
       {act::Rung::freeze, act::Rung::stop_unit, act::Rung::kill, act::Rung::stop_container,
        act::Rung::kill_container, act::Rung::last_resort}) {
    const act::ShedEvent event{rung, "120/llama\xff.service", "said \"no\"\n", true};
    const auto seen = parse_shed_event(shed_event_line(event));
    REQUIRE(seen);
    CHECK(seen->rung == rung);
    CHECK(seen->subject == event.subject);
    CHECK(seen->text == event.text);
    CHECK(seen->empty);
  }
  CHECK_FALSE(parse_shed_event(R"({"end":true})"));
  CHECK_FALSE(parse_shed_event("Killed"));
}

TEST_CASE("a second after the stop: blind or not cooler is hot, cooling is not (11.7)") {
  Policy policy;
  policy.guard.channels[0] =
      Limits{Celsius::from_degrees(95), Celsius::from_degrees(102), Celsius::from_degrees(85)};
  const PolicyCard card{.id = *CardId::parse("gpu1"),
                        .pci = *PciAddress::parse("0000:03:00.0"),
                        .unique_id = std::nullopt,
                        .shared = false};
  const ShedOrder order{
      .policy = policy, .card = card, .at_begin = {Celsius::from_degrees(104), std::nullopt}};
  CHECK(stays_hot(order, {measured(104), std::nullopt}));
  CHECK(stays_hot(order, {measured(106), std::nullopt}));
  CHECK_FALSE(stays_hot(order, {measured(103), std::nullopt}));
  CHECK_FALSE(stays_hot(order, {measured(90), std::nullopt}));
  CHECK(stays_hot(order, {Verdict{VerdictKind::unreadable, std::nullopt, {}, "EIO"}, std::nullopt}));
  CHECK(stays_hot(order, {}));

  SECTION("a trip for blindness knew no temperature") {
    const ShedOrder blind{.policy = policy, .card = card};
    CHECK(stays_hot(blind, {measured(102), std::nullopt}));
    CHECK_FALSE(stays_hot(blind, {measured(101), std::nullopt}));
  }
}
