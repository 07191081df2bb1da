#include "catch.h"
#include "decide/trip.h"
#include "trip_guard.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::test;

TEST_CASE("a card starts blind, and guards from its first believed sample") {
  Guard guard;
  CHECK(guard.trip.state == GuardState::blind);
  guard.nothing(1s);
  CHECK(guard.trip.state == GuardState::blind);
  guard.temperatures(1100ms, 61);
  CHECK(guard.trip.state == GuardState::guarding);
}

TEST_CASE("confirm samples in a row at or above trip trip the card, once") {
  Guard guard;
  guard.temperatures(1s, 101);
  CHECK_FALSE(guard.temperatures(1100ms, 102).trip);
  const TripOutput output = guard.temperatures(1200ms, 102);
  CHECK(output.trip);
  CHECK(output.shed);
  CHECK(output.poll_fast);
  CHECK(guard.trip.state == GuardState::tripped);
  CHECK(guard.trip.latched);
  CHECK(guard.trip.reason == TripReason::over_temperature);
  CHECK(guard.trip.why == "junction 102.0 C, at or above 102.0 C, 2 times in a row");
  CHECK_FALSE(guard.temperatures(1300ms, 103).trip);
  CHECK(guard.trip.why == "junction 102.0 C, at or above 102.0 C, 2 times in a row");
}

TEST_CASE("memory has its own limit, and trips alone") {
  Guard guard;
  guard.temperatures(1s, 61, 100);
  guard.temperatures(1100ms, 61, 101);
  CHECK(guard.temperatures(1200ms, 61, 101).trip);
  CHECK(guard.trip.why.starts_with("memory 101.0 C"));
}

TEST_CASE("channels do not confirm each other") {
  Guard guard;
  guard.temperatures(1s, 101, 100);
  CHECK_FALSE(guard.temperatures(1100ms, 102, 100).trip);
  CHECK_FALSE(guard.temperatures(1200ms, 101, 101).trip);
}

TEST_CASE("one sample above the limit never trips (T13)") {
  Guard guard;
  guard.temperatures(1s, 61, 100);
  CHECK_FALSE(guard.temperatures(1100ms, 61, 101).trip);
  CHECK_FALSE(guard.temperatures(1200ms, 61, 100).trip);
  CHECK_FALSE(guard.temperatures(1300ms, 61, 101).trip);
}

TEST_CASE("the same sample judged again does not confirm itself") {
  Guard guard;
  guard.temperatures(1s, 101);
  guard.temperatures(1100ms, 103);
  for (int i = 0; i < 10; ++i) CHECK_FALSE(guard.nothing(1110ms).trip);
}

TEST_CASE("with confirm 1 the first hot sample trips, and says so in other words") {
  Guard guard;
  guard.judge.guard.confirm = 1;
  CHECK(guard.temperatures(1s, 103).trip);
  CHECK(guard.trip.why == "junction 103.0 C, at or above 102.0 C");
}

TEST_CASE("unbelieved samples between hot ones neither confirm nor excuse them") {
  Guard guard;
  guard.temperatures(1s, 101);
  guard.temperatures(1100ms, 103);
  guard.broken(1200ms);
  CHECK(guard.temperatures(1300ms, 103).trip);
}

TEST_CASE("a jump that the next sample confirms counts with it: two samples are two") {
  Guard guard;
  guard.temperatures(1s, 60);
  CHECK_FALSE(guard.temperatures(1100ms, 103).trip);
  CHECK(guard.temperatures(1200ms, 104).trip);
  CHECK(guard.trip.why == "junction 104.0 C, at or above 102.0 C, 2 times in a row");
}

TEST_CASE("a confirmed jump below the trip does not count as heat") {
  Guard guard;
  guard.temperatures(1s, 60);
  guard.temperatures(1100ms, 99);
  CHECK_FALSE(guard.temperatures(1200ms, 103).trip);
  CHECK(guard.temperatures(1300ms, 103).trip);
}

TEST_CASE("one glitch never trips, hot or cold, at any temperature below the trip") {
  for (int truth = 40; truth < 102; ++truth) {
    for (const int lie : {0, 1, 20, 103, 120, 149, 255, 511}) {
      Guard guard;
      guard.temperatures(1s, truth);
      const Duration pace = guard.temperatures(1100ms, truth).poll_fast ? 100ms : 500ms;
      Duration when = 1100ms + pace;
      bool tripped = guard.temperatures(when, lie).trip;
      for (int i = 0; i < 20; ++i) tripped = guard.temperatures(when += 100ms, truth).trip || tripped;
      INFO(lie << " C once at " << truth << " C: " << guard.trip.why);
      CHECK_FALSE(tripped);
    }
  }
}

TEST_CASE(
    "warning begins at warn, asks for cooling once and polls fast; it ends below resume, without flapping") {
  Guard guard;
  CHECK_FALSE(guard.temperatures(1s, 90).cool);
  CHECK(guard.trip.state == GuardState::guarding);
  const TripOutput warm = guard.temperatures(2s, 95);
  CHECK(warm.cool);
  CHECK(warm.poll_fast);
  CHECK(guard.trip.state == GuardState::warning);
  for (int second = 3; second < 20; ++second) {
    const TripOutput output = guard.temperatures(std::chrono::seconds(second), second % 2 == 0 ? 94 : 95);
    CHECK_FALSE(output.cool);
    CHECK(output.poll_fast);
  }
  guard.temperatures(30s, 85);
  CHECK(guard.trip.state == GuardState::warning);
  CHECK_FALSE(guard.temperatures(31s, 84).poll_fast);
  CHECK(guard.trip.state == GuardState::guarding);
  CHECK(guard.temperatures(32s, 95).cool);
}

TEST_CASE("a warm channel keeps the warning while the other is blind") {
  Guard guard;
  guard.temperatures(1s, 60, 94);
  CHECK(guard.trip.state == GuardState::warning);
  guard.broken(1100ms);
  CHECK(guard.trip.state == GuardState::blind);
  guard.temperatures(1200ms, 60, 90);
  CHECK(guard.trip.state == GuardState::warning);
}

TEST_CASE("hot trips without a holder too: the card stays empty until somebody has looked") {
  Guard guard(kNobody);
  guard.temperatures(1s, 102);
  const TripOutput output = guard.temperatures(1100ms, 102);
  CHECK(output.trip);
  CHECK_FALSE(output.shed);
  CHECK(guard.trip.state == GuardState::latched);
}

TEST_CASE("a parked card is readable and cool: no grace runs, and until-cool resumes (11.5)") {
  Guard guard({.held = true, .sheddable = true, .used = false, .working = false});
  for (int second = 1; second < 100; ++second) {
    const TripOutput output = guard.asleep(std::chrono::seconds(second));
    CHECK_FALSE(output.trip);
    CHECK_FALSE(output.poll_fast);
  }
  CHECK(guard.trip.state == GuardState::guarding);

  guard.trip.latched = true;
  guard.judge.guard.latch = LatchMode::until_cool;
  guard.judge.use = kNobody;
  CHECK(guard.asleep(100s).resume);
}

TEST_CASE("leaving parked starts the whole grace, however warm the card was before (11.5)") {
  Guard guard;
  guard.temperatures(1s, 100);
  guard.asleep(1100ms);
  guard.asleep(60s);
  CHECK_FALSE(guard.broken(90s).trip);
  CHECK_FALSE(guard.broken(91999ms).trip);
  CHECK(guard.broken(92s).trip);
}

TEST_CASE("parking ends a row of hot samples") {
  Guard guard;
  guard.temperatures(1s, 101);
  guard.temperatures(1100ms, 102);
  guard.asleep(5s);
  CHECK_FALSE(guard.temperatures(10s, 102).trip);
}
