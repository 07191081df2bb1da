#include <cerrno>

#include "catch.h"
#include "daemon/card_guard.h"

using namespace interlock;
using namespace interlock::daemon;
using namespace std::chrono_literals;

namespace {

const PolicyCard kCard{.id = *CardId::parse("gpu1"),
                       .pci = *PciAddress::parse("0000:03:00.0"),
                       .unique_id = std::nullopt,
                       .shared = false};

GuardPolicy policy() {
  GuardPolicy guard;
  guard.channels[0] =
      Limits{Celsius::from_degrees(95), Celsius::from_degrees(102), Celsius::from_degrees(85)};
  guard.channels[1] =
      Limits{Celsius::from_degrees(93), Celsius::from_degrees(101), Celsius::from_degrees(85)};
  return guard;
}

CardSample sample(Instant taken_at, int junction, int memory) {
  CardSample sample;
  sample.taken_at = taken_at;
  sample.present = true;
  sample.driver = "amdgpu";
  sample.unique_id = {ENOENT, ""};
  sample.runtime = RuntimeStatus::active;
  sample.channels[0] = ChannelSample{{0, "junction\n"}, {0, std::to_string(junction * 1000) + "\n"}};
  sample.channels[1] = ChannelSample{{0, "mem\n"}, {0, std::to_string(memory * 1000) + "\n"}};
  return sample;
}

constexpr decide::Use kHeld{.held = true, .sheddable = true, .used = true, .working = true};
constexpr decide::Use kFree{};

/// A card and its clock: asked, answered 1 ms later, judged.
struct Bench {
  CardGuard guard{kCard};
  GuardPolicy rules = policy();
  Instant now{100s};
  bool may_sleep = false;
  decide::Use use = kHeld;

  decide::TripOutput judge() { return guard.judge(rules, use, may_sleep, now); }
  decide::TripOutput look(int junction, int memory) {
    guard.asked(now);
    const Instant asked = now;
    now += 1ms;
    guard.answered(sample(asked, junction, memory));
    return judge();
  }
};

}  // namespace

TEST_CASE("a cool card is asked at the slow pace, a warm one at the fast pace") {
  Bench bench;
  const Instant first = bench.now;
  bench.look(60, 60);
  CHECK(bench.guard.state() == GuardState::guarding);
  CHECK(bench.guard.next_ask() == first + bench.rules.poll);
  bench.now = bench.guard.next_ask();
  const Instant second = bench.now;
  bench.look(64, 60);
  bench.now = bench.guard.next_ask();
  for (int junction : {73, 82, 91, 96}) {
    bench.look(junction, 60);
    bench.now = bench.guard.next_ask();
  }
  CHECK(bench.guard.state() == GuardState::warning);
  const Instant warm = bench.now;
  bench.look(96, 60);
  CHECK(bench.guard.next_ask() == warm + bench.rules.poll_warm);
  CHECK(second < warm);
}

TEST_CASE(
    "an answer is believed when it comes, the first one too, and one that took the whole read deadline") {
  Bench bench;
  bench.look(61, 60);
  CHECK(bench.guard.state() == GuardState::guarding);
  bench.now = bench.guard.next_ask();
  bench.guard.asked(bench.now);
  const Instant asked = bench.now;
  bench.now += kReadDeadline;
  bench.guard.answered(sample(asked, 62, 60));
  bench.judge();
  CHECK(bench.guard.state() == GuardState::guarding);
  CHECK(bench.guard.celsius()[0] == Celsius::from_degrees(62));
}

TEST_CASE("a card that answers no more goes blind at the read's deadline, and trips with no sample at all") {
  Bench bench;
  bench.look(60, 60);
  bench.now = bench.guard.next_ask();
  bench.guard.asked(bench.now);
  const Instant asked = bench.now;
  bench.judge();
  CHECK(bench.guard.state() == GuardState::guarding);
  CHECK(bench.guard.judge_by() == asked + kReadDeadline + 1us);

  bench.now = bench.guard.judge_by();
  bench.guard.missed("no answer within 200 ms");
  CHECK_FALSE(bench.judge().trip);
  CHECK(bench.guard.state() == GuardState::blind);
  CHECK(bench.guard.reason().find("no answer within 200 ms") != std::string::npos);

  // Asking again and again does not put off the end.
  bool tripped = false;
  while (!tripped && bench.now < asked + 5s) {
    bench.now = std::min(bench.guard.judge_by(), std::max(bench.now + 1ms, bench.guard.next_ask()));
    if (bench.now >= bench.guard.next_ask()) {
      bench.guard.asked(bench.now);
      bench.guard.missed("no answer within 200 ms");
    }
    tripped = bench.judge().trip;
  }
  CHECK(tripped);
  CHECK(bench.now <= asked + bench.rules.blind_grace + kReadDeadline);
}

TEST_CASE("a card that was never seen trips too, once a process has it open (a card starts blind)") {
  Bench bench;
  bench.guard.asked(bench.now);
  bench.guard.missed("its reader cannot be started");
  const Instant begin = bench.now;
  CHECK_FALSE(bench.judge().trip);
  CHECK(bench.guard.state() == GuardState::blind);
  bench.now = begin + bench.rules.blind_grace;
  CHECK(bench.judge().trip);
}

TEST_CASE("a card that nobody uses and that may sleep is not kept awake (11.10)") {
  Bench bench;
  bench.use = kFree;
  bench.may_sleep = true;
  const Instant asked = bench.now;
  bench.look(40, 40);
  CHECK(bench.guard.next_ask() == asked + kSleepyPoll);

  SECTION("its old sample is believed till the next is due") {
    bench.now = asked + 20s;
    bench.judge();
    CHECK(bench.guard.state() == GuardState::guarding);
  }
  SECTION("somebody takes it: it is asked at once, and is not blind meanwhile") {
    bench.now = asked + 20s;
    bench.use = kHeld;
    CHECK_FALSE(bench.judge().trip);
    CHECK(bench.guard.next_ask() == bench.now);
    CHECK(bench.guard.state() == GuardState::guarding);
    // But only for one read's time.
    bench.now += kReadDeadline + 1ms;
    bench.judge();
    CHECK(bench.guard.state() == GuardState::blind);
  }
}

TEST_CASE("an event of the card is not forgotten before it was asked about (amdgpu.md 2.7)") {
  Bench bench;
  bench.rules.poll = 10s;
  bench.use = kFree;
  bench.look(60, 60);
  bench.now += 3s;

  SECTION("the card is judged for another reason, a look at holders") {
    bench.guard.hurry(bench.now);
    bench.judge();
    CHECK(bench.guard.next_ask() == bench.now);
  }
  SECTION("an answer is awaited: it may tell of the time before") {
    bench.guard.asked(bench.now);
    const Instant asked = bench.now;
    bench.now += 1ms;
    bench.guard.hurry(bench.now);
    bench.now += 1ms;
    bench.guard.answered(sample(asked, 61, 60));
    bench.judge();
    CHECK(bench.guard.next_ask() == bench.now);
  }
  // One question is enough.
  const Instant asked = bench.now;
  bench.look(61, 60);
  CHECK(bench.guard.next_ask() == asked + bench.rules.poll);
}

TEST_CASE("a judgement that comes far too late is not on time, so the watchdog is not fed") {
  Bench bench;
  CHECK_FALSE(bench.guard.judged_on_time(bench.now));
  bench.look(60, 60);
  CHECK(bench.guard.judged_on_time(bench.now));
  CHECK(bench.guard.judged_on_time(bench.guard.judge_by()));
  CHECK_FALSE(bench.guard.judged_on_time(bench.guard.judge_by() + 1s));
}

TEST_CASE("why a card is blind is said of the channel that is (two-v620 failure 4: each is judged alone)") {
  Bench bench;
  bench.guard.asked(bench.now);
  CardSample half = sample(bench.now, 61, 60);
  half.channels[1].reset();
  bench.now += 1ms;
  bench.guard.answered(half);
  bench.judge();
  CHECK(bench.guard.state() == GuardState::blind);
  CHECK(bench.guard.reason().starts_with("memory is unreadable"));
  REQUIRE(bench.guard.hottest());
  CHECK(bench.guard.hottest()->degrees() == 61);
}
