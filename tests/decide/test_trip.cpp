#include "catch.h"
#include "decide/trip.h"
#include "guard_samples.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::test;
using namespace std::chrono_literals;

namespace {

constexpr Use kHeld{.held = true, .sheddable = true, .used = true, .working = false};
constexpr Use kNobody{};

/// A judge and a trip machine, driven by samples as the daemon does.
struct Guard {
  Judge judge;
  TripMemory trip;

  explicit Guard(Use use = kHeld) { judge.use = use; }

  TripOutput step(const Judgement& judgement, Instant now) {
    return decide::step(judge.guard, trip, {.judgement = judgement, .use = judge.use}, now);
  }
  TripOutput sample(const CardSample& sample) { return step(judge(sample), sample.taken_at); }
  TripOutput temperatures(Duration when, int junction, int memory = 60) {
    return sample(sample_at(at(when), junction, memory));
  }
  TripOutput broken(Duration when, int code = EIO) {
    CardSample sample = sample_at(at(when), 60, 60);
    junction_of(sample).input = {.error = code, .text = {}};
    return this->sample(sample);
  }
  TripOutput gone(Duration when) {
    CardSample sample;
    sample.taken_at = at(when);
    return this->sample(sample);
  }
  TripOutput lent(Duration when) {
    CardSample sample = sample_at(at(when), 60, 60);
    sample.driver = "vfio-pci";
    sample.channels = {};
    return this->sample(sample);
  }
  TripOutput asleep(Duration when) {
    CardSample sample = sample_at(at(when), 60, 60);
    sample.runtime = RuntimeStatus::suspended;
    sample.channels = {};
    return this->sample(sample);
  }
  TripOutput nothing(Duration when) { return step(judge(std::nullopt, at(when)), at(when)); }
  TripOutput use_is(Duration when, Use use) {
    judge.use = use;
    return nothing(when);
  }
};

}  // namespace

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

TEST_CASE("hot trips without a holder too: the card stays empty until somebody has looked") {
  Guard guard(kNobody);
  guard.temperatures(1s, 102);
  const TripOutput output = guard.temperatures(1100ms, 102);
  CHECK(output.trip);
  CHECK_FALSE(output.shed);
  CHECK(guard.trip.state == GuardState::latched);
}

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
