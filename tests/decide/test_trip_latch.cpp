#include "catch.h"
#include "decide/trip.h"
#include "trip_guard.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::test;

TEST_CASE("an emptied card is latched, cool or not; a newcomer is shed at once") {
  Guard guard;
  guard.temperatures(1s, 103);
  guard.temperatures(1100ms, 103);
  CHECK(guard.use_is(2s, kNobody).shed == false);
  CHECK(guard.trip.state == GuardState::latched);
  guard.temperatures(60s, 40);
  CHECK(guard.trip.state == GuardState::latched);
  const TripOutput newcomer = guard.use_is(61s, kHeld);
  CHECK(newcomer.shed);
  CHECK_FALSE(newcomer.trip);
  CHECK(guard.trip.state == GuardState::tripped);
}

TEST_CASE("a holder that no rung may touch keeps the card latched, not tripped for ever (11.6)") {
  Guard guard;
  guard.temperatures(1s, 103);
  guard.temperatures(1100ms, 103);
  const TripOutput output =
      guard.use_is(2s, {.held = true, .sheddable = false, .used = false, .working = false});
  CHECK_FALSE(output.shed);
  CHECK(guard.trip.state == GuardState::latched);
}

TEST_CASE("a latch kept from before a restart sheds whoever is there, before the first sample") {
  Guard guard;
  guard.trip.latched = true;
  guard.trip.reason = TripReason::over_temperature;
  CHECK(guard.nothing(1s).shed);
  CHECK(guard.trip.state == GuardState::tripped);
}

TEST_CASE("until-reset stays latched when cool; unlatch() lets it guard again, with no heat counted") {
  Guard guard;
  guard.temperatures(1s, 103);
  guard.temperatures(1100ms, 103);
  guard.use_is(2s, kNobody);
  CHECK_FALSE(guard.temperatures(100s, 40).resume);
  unlatch(guard.trip);
  CHECK_FALSE(guard.temperatures(101s, 40).trip);
  CHECK(guard.trip.state == GuardState::guarding);
  CHECK_FALSE(guard.trip.reason);
  CHECK(guard.trip.why.empty());
}

TEST_CASE("a card reset while it is still hot trips again, after confirming it anew") {
  Guard guard;
  guard.temperatures(1s, 103);
  guard.temperatures(1100ms, 103);
  unlatch(guard.trip);
  CHECK_FALSE(guard.temperatures(1200ms, 103).trip);
  CHECK(guard.temperatures(1300ms, 103).trip);
}

TEST_CASE("until-cool resumes once, when every channel is believed and below resume and the card is empty") {
  Guard guard;
  guard.judge.guard.latch = LatchMode::until_cool;
  guard.temperatures(1s, 103);
  guard.temperatures(1100ms, 103);
  CHECK_FALSE(guard.temperatures(5s, 80).resume);  // still held
  CHECK(guard.use_is(5100ms, kNobody).resume);
  CHECK(guard.trip.state == GuardState::guarding);
}

TEST_CASE("until-cool waits while the card is warm, or blind") {
  Guard guard;
  guard.judge.guard.latch = LatchMode::until_cool;
  guard.temperatures(1s, 103);
  guard.temperatures(1100ms, 103);
  guard.judge.use = kNobody;
  CHECK_FALSE(guard.temperatures(5s, 85).resume);
  CHECK_FALSE(guard.broken(6s).resume);
  const TripOutput output = guard.temperatures(7s, 84);
  CHECK(output.resume);
  CHECK_FALSE(guard.trip.latched);
  CHECK_FALSE(guard.temperatures(8s, 84).resume);
}

TEST_CASE(
    "a reset is refused while the card is blind, or not below resume, and allowed when cool or parked") {
  const GuardPolicy policy = v620_guard();
  const auto refusal_of = [&](const CardSample& sample) {
    Judge judge;
    return reset_refusal(policy, judge(sample).verdicts);
  };
  CHECK_FALSE(refusal_of(sample_at(at(1s), 84, 84)));
  CHECK(refusal_of(sample_at(at(1s), 84, 85)) == "memory is at 85.0 C, and must be below 85.0 C first");
  CHECK(refusal_of(sample_at(at(1s), 511, 60)) ==
        "junction is implausible: 511000 is a bus that gives only ones");
  CHECK(reset_refusal(policy, {}) == "junction was not judged");
  CardSample asleep = sample_at(at(1s), 60, 60);
  asleep.runtime = RuntimeStatus::suspended;
  asleep.channels = {};
  CHECK_FALSE(refusal_of(asleep));
}
