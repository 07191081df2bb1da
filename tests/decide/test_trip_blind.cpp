#include "catch.h"
#include "decide/trip.h"
#include "trip_guard.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::test;

TEST_CASE(
    "blind beyond the grace trips a card that a process has open, and says that it was blind, and why") {
  Guard guard;
  guard.temperatures(1s, 60);
  CHECK_FALSE(guard.broken(1500ms).trip);
  CHECK(guard.trip.state == GuardState::blind);
  CHECK_FALSE(guard.broken(2999ms).trip);
  CHECK(guard.broken(3s).trip);
  CHECK(guard.trip.reason == TripReason::blind);
  CHECK(guard.trip.why ==
        "junction without a believable reading for 2s, last seen at 60.0 C: EIO: the card's management "
        "processor "
        "gives no answer");
}

TEST_CASE("the grace counts from the last believed sample, whatever kind of blindness follows") {
  Guard guard;
  guard.temperatures(1s, 60);
  guard.nothing(1701ms);  // stale
  CHECK(guard.trip.state == GuardState::blind);
  guard.broken(2s);
  CHECK_FALSE(guard.temperatures(2500ms, 511).trip);
  CHECK(guard.nothing(3s).trip);
}

TEST_CASE("a sample in time ends the blindness, and the next one has the whole grace again") {
  Guard guard;
  guard.temperatures(1s, 60);
  guard.broken(2900ms);
  guard.temperatures(2950ms, 60);
  CHECK(guard.trip.state == GuardState::guarding);
  CHECK_FALSE(guard.broken(4949ms).trip);
  CHECK(guard.broken(4950ms).trip);
}

TEST_CASE("a good channel does not excuse a blind one (T12, two-v620 failure 4)") {
  Guard guard;
  CardSample sample = sample_at(at(1s), 61, 60);
  memory_of(sample).input = {.error = ENOENT, .text = {}};
  guard.sample(sample);
  sample.taken_at = at(3s);
  CHECK(guard.sample(sample).trip);
  CHECK(guard.trip.why.starts_with("memory without a believable reading for 2s, never seen before"));
}

TEST_CASE("the hwmon folder that vanishes after the start trips (two-v620 failure 5)") {
  Guard guard;
  guard.temperatures(1s, 60);
  for (Duration when = 1100ms; when < 3s; when += 100ms) CHECK_FALSE(guard.broken(when, ENOENT).trip);
  CHECK(guard.broken(3s, ENOENT).trip);
}

TEST_CASE("a card last seen near its limit gets less grace, but never too little to tell a glitch (11.5)") {
  const GuardPolicy policy = v620_guard();
  CHECK(blind_grace(policy, Channel::junction, std::nullopt) == 2s);
  CHECK(blind_grace(policy, Channel::junction, Celsius::from_degrees(60)) == 2s);
  CHECK(blind_grace(policy, Channel::junction, Celsius::from_degrees(82)) == 2s);
  CHECK(blind_grace(policy, Channel::junction, Celsius::from_degrees(90)) == 1200ms);
  CHECK(blind_grace(policy, Channel::memory, Celsius::from_degrees(90)) == 1100ms);
  CHECK(blind_grace(policy, Channel::junction, Celsius::from_degrees(101)) == 400ms);
  CHECK(blind_grace(policy, Channel::junction, Celsius::from_degrees(110)) == 400ms);

  Guard guard;
  guard.temperatures(1s, 98);
  CHECK_FALSE(guard.broken(1399ms).trip);
  CHECK(guard.broken(1400ms).trip);
}

TEST_CASE("a card near its limit is polled fast, so that a late sample does not eat up its grace") {
  Guard guard;
  CHECK_FALSE(guard.temperatures(1s, 80).poll_fast);
  CHECK(guard.temperatures(2s, 93).poll_fast);  // 900 ms of grace against a poll of 500 ms and two late reads
  CHECK(guard.trip.state == GuardState::guarding);
}

TEST_CASE("a blind card that nobody has open is reported, neither tripped nor latched") {
  Guard guard(kNobody);
  for (int second = 1; second < 100; ++second) {
    const TripOutput output = guard.broken(std::chrono::seconds(second));
    CHECK_FALSE(output.trip);
    CHECK_FALSE(output.due);
  }
  CHECK(guard.trip.state == GuardState::blind);
  CHECK_FALSE(guard.trip.latched);
}

TEST_CASE("the first holder of a blind card starts the whole grace") {
  Guard guard(kNobody);
  guard.temperatures(1s, 60);
  for (int second = 2; second < 60; ++second) guard.broken(std::chrono::seconds(second));
  const TripOutput arrival = guard.use_is(60s, kHeld);
  CHECK_FALSE(arrival.trip);
  CHECK(arrival.due == at(62s));
  CHECK_FALSE(guard.broken(61999ms).trip);
  CHECK(guard.broken(62s).trip);
}

TEST_CASE(
    "a holder that comes while the last sample is old gets its grace from his coming (11.10: polled every 30 "
    "s)") {
  Guard guard(kNobody);
  guard.judge.deadline = 31s;
  guard.temperatures(1s, 60);
  CHECK_FALSE(guard.use_is(29s, kHeld).trip);
  guard.judge.deadline = 700ms;
  const TripOutput output = guard.nothing(29100ms);
  CHECK_FALSE(output.trip);
  CHECK(output.due == at(31s));
}

TEST_CASE("a holder that leaves ends the grace; the next one begins it anew") {
  Guard guard;
  guard.temperatures(1s, 60);
  guard.broken(2900ms);
  guard.use_is(2950ms, kNobody);
  CHECK_FALSE(guard.broken(10s).trip);
  guard.use_is(11s, kHeld);
  CHECK_FALSE(guard.broken(12999ms).trip);
  CHECK(guard.broken(13s).trip);
}

TEST_CASE("due says when the grace of the first blind channel runs out, so that silence is noticed too") {
  Guard guard;
  CHECK_FALSE(guard.temperatures(1s, 60, 90).due);
  CHECK(guard.nothing(1701ms).due == at(2100ms));  // memory, 11 C below its trip
  CHECK_FALSE(guard.nothing(2099ms).trip);
  CHECK(guard.nothing(2100ms).trip);
}

TEST_CASE(
    "a card that is gone is absent, one that is lent is lent; neither trips while nobody has it open "
    "(11.11)") {
  Guard guard(kNobody);
  guard.temperatures(1s, 60);
  CHECK_FALSE(guard.gone(2s).trip);
  CHECK(guard.trip.state == GuardState::absent);
  CHECK_FALSE(guard.gone(60s).trip);
  guard.lent(61s);
  CHECK(guard.trip.state == GuardState::lent);
  CHECK_FALSE(guard.lent(120s).trip);
  guard.temperatures(121s, 60);
  CHECK(guard.trip.state == GuardState::guarding);
}

TEST_CASE("a card that vanishes, or changes its driver, under a process is blind, and trips") {
  SECTION("vanishes") {
    Guard guard;
    guard.temperatures(1s, 60);
    guard.gone(2s);
    CHECK(guard.trip.state == GuardState::blind);
    CHECK(guard.gone(3s).trip);
  }
  SECTION("another driver (T04)") {
    Guard guard;
    guard.temperatures(1s, 60);
    guard.lent(2s);
    CHECK(guard.trip.state == GuardState::blind);
    CHECK(guard.lent(3s).trip);
  }
}

TEST_CASE("a frozen sensor trips a loaded card after its minute and the grace (T11)") {
  Guard guard;
  bool tripped = false;
  Duration when = 0s;
  const auto frozen = [&] {
    CardSample sample = sample_at(at(when), 61, 60);
    sample.energy = 500;
    return sample;
  };
  for (; when < 60s; when += 500ms) tripped = guard.sample(frozen()).trip || tripped;
  CHECK_FALSE(tripped);
  for (; when <= 62s; when += 100ms) tripped = guard.sample(frozen()).trip || tripped;
  CHECK(tripped);
  CHECK(guard.trip.reason == TripReason::blind);
}

TEST_CASE("a channel that the judge left out is blind, not cool") {
  Guard guard;
  TripInput input{.judgement = {}, .use = kHeld};
  decide::step(guard.judge.guard, guard.trip, input, at(1s));
  CHECK(guard.trip.state == GuardState::blind);
  CHECK(decide::step(guard.judge.guard, guard.trip, input, at(3s)).trip);
}
