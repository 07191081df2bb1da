// Verdicts that need more than one sample: age, jumps, standing still, sleep.
#include "catch.h"
#include "decide/verdict.h"
#include "guard_samples.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::test;
using namespace std::chrono_literals;

namespace {

VerdictKind junction_kind(const Judgement& judgement) {
  return junction_verdict(judgement).kind;
}

CardSample asleep_at(Instant taken_at) {
  CardSample sample = sample_at(taken_at, 61, 72);
  sample.runtime = RuntimeStatus::suspended;
  sample.channels = {};
  return sample;
}

CardSample counting(Instant taken_at, int junction, std::optional<std::uint64_t> energy) {
  CardSample sample = sample_at(taken_at, junction, 72);
  sample.energy = energy;
  return sample;
}

}  // namespace

TEST_CASE("what was believed grows stale when no sample comes in time") {
  Judge judge;
  judge.deadline = 700ms;
  CHECK(junction_kind(judge(sample_at(at(1s), 61, 72))) == VerdictKind::measured);
  CHECK(junction_kind(judge(std::nullopt, at(1699ms))) == VerdictKind::measured);
  const Judgement late = judge(std::nullopt, at(1700ms));
  CHECK(junction_kind(late) == VerdictKind::stale);
  CHECK(junction_verdict(late).why == "the last sample is 700ms old");
  CHECK_FALSE(junction_verdict(late).celsius);
  CHECK(junction_verdict(late).taken_at == at(1s));
  CHECK(junction_kind(judge(sample_at(at(1800ms), 61, 72))) == VerdictKind::measured);
}

TEST_CASE("what has grown stale stays so, though its deadline is set anew, until another sample comes") {
  Judge judge;
  judge(sample_at(at(1s), 61, 72));
  judge.deadline = 300ms;
  CHECK(junction_kind(judge(std::nullopt, at(1300ms))) == VerdictKind::stale);
  judge.deadline = 30s;
  CHECK(junction_kind(judge(std::nullopt, at(1400ms))) == VerdictKind::stale);
  CHECK(junction_verdict(judge(std::nullopt, at(2s))).why == "the last sample is 1s old");
  CHECK(junction_kind(judge(sample_at(at(2s), 61, 72))) == VerdictKind::measured);
}

TEST_CASE("a sample given twice, out of order or from the future counts as none") {
  Judge judge;
  const CardSample sample = sample_at(at(1s), 61, 72);
  CHECK(judge(sample).fresh[0]);
  CHECK_FALSE(judge(sample, at(1100ms)).fresh[0]);
  CHECK_FALSE(judge(sample_at(at(900ms), 105, 72), at(1100ms)).fresh[0]);
  CHECK(junction_verdict(judge(std::nullopt, at(1100ms))).celsius == Celsius::from_degrees(61));
  CHECK_FALSE(judge(sample_at(at(9s), 20, 20), at(1200ms)).fresh[0]);
  CHECK(judge(sample_at(at(1300ms), 62, 72)).fresh[0]);  // the one from the future did not shut the door
}

TEST_CASE("a jump is disbelieved for one sample; the next within 5 C makes both believed") {
  Judge judge;
  judge(sample_at(at(1s), 60, 72));
  const Judgement jump = judge(sample_at(at(1100ms), 103, 72));
  CHECK(junction_kind(jump) == VerdictKind::implausible);
  CHECK(junction_verdict(jump).why == "a jump from 60.0 C to 103.0 C");
  CHECK_FALSE(jump.vouched[0]);
  const Judgement next = judge(sample_at(at(1200ms), 104, 72));
  CHECK(junction_kind(next) == VerdictKind::measured);
  CHECK(next.vouched[0] == Celsius::from_degrees(103));
  CHECK_FALSE(next.vouched[1]);
}

TEST_CASE("a jump back down is believed as slowly: the heat before it may be true") {
  Judge judge;
  judge(sample_at(at(1s), 101, 72));
  CHECK(junction_kind(judge(sample_at(at(1100ms), 60, 72))) == VerdictKind::implausible);
  CHECK(junction_kind(judge(sample_at(at(1200ms), 101, 72))) == VerdictKind::measured);
}

TEST_CASE("a jump is more than 10 C and faster than 30 C/s; neither alone is one") {
  struct Case {
    Duration after;
    int to;
    bool believed;
  };
  for (const Case& change : {Case{100ms, 70, true}, Case{100ms, 71, false}, Case{100ms, 50, true},
                             Case{100ms, 49, false}, Case{1s, 90, true}, Case{1s, 91, false},
                             Case{2s, 120, true}, Case{500ms, 75, true}, Case{500ms, 76, false}}) {
    Judge judge;
    judge(sample_at(at(1s), 60, 72));
    INFO("to " << change.to << " C after " << change.after / 1ms << " ms");
    const bool believed =
        junction_kind(judge(sample_at(at(1s) + change.after, change.to, 72))) == VerdictKind::measured;
    CHECK(believed == change.believed);
  }
}

TEST_CASE("only the very next sample confirms a jump, and only within 5 C") {
  Judge judge;
  judge(sample_at(at(1s), 60, 72));
  judge(sample_at(at(1100ms), 103, 72));
  SECTION("6 C away is another jump") {
    CHECK(junction_kind(judge(sample_at(at(1200ms), 109, 72))) == VerdictKind::implausible);
    CHECK(junction_kind(judge(sample_at(at(1300ms), 110, 72))) == VerdictKind::measured);
  }
  SECTION("5 C away confirms") {
    CHECK(junction_kind(judge(sample_at(at(1200ms), 98, 72))) == VerdictKind::measured);
  }
  SECTION("an unreadable sample between them breaks it") {
    CardSample broken = sample_at(at(1200ms), 0, 72);
    judge(broken);
    CHECK(junction_kind(judge(sample_at(at(1300ms), 103, 72))) == VerdictKind::implausible);
  }
  SECTION("back where it was, the jump was a glitch") {
    const Judgement back = judge(sample_at(at(1200ms), 61, 72));
    CHECK(junction_kind(back) == VerdictKind::measured);
    CHECK_FALSE(back.vouched[0]);
  }
}

TEST_CASE("the first sample of all is no jump from anywhere") {
  Judge judge;
  CHECK(junction_kind(judge(sample_at(at(1s), 103, 72))) == VerdictKind::measured);
}

TEST_CASE("a value that stands still for a minute with its energy counter, under load, is stale (T11)") {
  Judge judge;
  CHECK(junction_kind(judge(counting(at(1s), 61, 500))) == VerdictKind::measured);
  CHECK(junction_kind(judge(counting(at(31s), 61, 500))) == VerdictKind::measured);
  CHECK(junction_kind(judge(counting(at(60999ms), 61, 500))) == VerdictKind::measured);
  const Judgement frozen = judge(counting(at(61s), 61, 500));
  CHECK(junction_kind(frozen) == VerdictKind::stale);
  CHECK(junction_verdict(frozen).why ==
        "61.0 C for 60 s, while the card works and its energy counter stands still");
  CHECK(memory_verdict(frozen).kind == VerdictKind::stale);
  CHECK(junction_kind(judge(counting(at(62s), 61, 501))) == VerdictKind::measured);
}

TEST_CASE(
    "a steady card is not frozen: its energy moves, or it is idle, or it has no counter (amdgpu.md 1.12)") {
  Judge judge;
  std::uint64_t energy = 500;
  const auto minute = [&](auto energy_of_sample) {
    for (int second = 1; second <= 120; ++second) {
      if (junction_kind(judge(counting(at(std::chrono::seconds(second)), 61, energy_of_sample()))) !=
          VerdictKind::measured) {
        return false;
      }
    }
    return true;
  };
  SECTION("it moves") {
    CHECK(minute([&] { return std::optional(energy++); }));
  }
  SECTION("idle") {
    judge.use.used = false;
    CHECK(minute([&] { return std::optional(energy); }));
  }
  SECTION("no counter: MI50") {
    CHECK(minute([] { return std::optional<std::uint64_t>(); }));
  }
  SECTION("a counter that firmware leaves at 0") {
    CHECK(minute([] { return std::optional<std::uint64_t>(0); }));
  }
  SECTION("or at all ones") {
    CHECK(minute([] { return std::optional<std::uint64_t>(UINT64_MAX); }));
  }
}

TEST_CASE("an energy counter that cannot be read now and then does not hide a frozen value") {
  Judge judge;
  judge(counting(at(1s), 61, 500));
  judge(counting(at(30s), 61, std::nullopt));
  CHECK(junction_kind(judge(counting(at(61s), 61, std::nullopt))) == VerdictKind::measured);
  CHECK(junction_kind(judge(counting(at(62s), 61, 500))) == VerdictKind::stale);
}

TEST_CASE("a value that moves is alive, whatever the energy counter does") {
  Judge judge;
  for (int second = 1; second <= 200; ++second) {
    CHECK(junction_kind(judge(counting(at(std::chrono::seconds(second)), 61 + second % 2, 500))) ==
          VerdictKind::measured);
  }
}

TEST_CASE("a suspended card is parked, and not woken for its temperature (11.5)") {
  Judge judge;
  const Judgement parked = judge(asleep_at(at(1s)));
  CHECK(junction_kind(parked) == VerdictKind::parked);
  CHECK_FALSE(junction_verdict(parked).blind());
  CHECK_FALSE(junction_verdict(parked).celsius);
  CHECK(junction_verdict(parked).why == "the card is suspended");
}

TEST_CASE(
    "EPERM and EBUSY of a suspended card are parking; without that word they are blindness (amdgpu.md 1.6)") {
  for (const int code : {EPERM, EBUSY}) {
    for (const RuntimeStatus status :
         {RuntimeStatus::suspended, RuntimeStatus::active, RuntimeStatus::suspending, RuntimeStatus::resuming,
          RuntimeStatus::error, RuntimeStatus::unsupported, RuntimeStatus::unknown}) {
      Judge judge;
      CardSample sample = sample_at(at(1s), 61, 72);
      sample.runtime = status;
      junction_of(sample).input = {.error = code, .text = {}};
      const bool parked = status == RuntimeStatus::suspended;
      CHECK(junction_kind(judge(sample)) == (parked ? VerdictKind::parked : VerdictKind::unreadable));
    }
  }
}

TEST_CASE("no other errno is parking, even of a suspended card") {
  for (const int code : {EIO, EOPNOTSUPP, EINVAL, ENODEV, ENOENT}) {
    Judge judge;
    CardSample sample = asleep_at(at(1s));
    sample.channels = {reading("junction\n", ""), reading("mem\n", "")};
    junction_of(sample).input = {.error = code, .text = {}};
    CHECK(junction_kind(judge(sample)) == VerdictKind::unreadable);
  }
}

TEST_CASE(
    "a card that says it sleeps while a process works on it is not believed; memory on it is no work "
    "(11.5)") {
  Judge judge;
  judge.use.working = true;
  CHECK(junction_kind(judge(asleep_at(at(1s)))) == VerdictKind::unreadable);
  judge.use = {.held = true, .sheddable = true, .used = true, .working = false};
  CHECK(junction_kind(judge(asleep_at(at(2s)))) == VerdictKind::parked);
}

TEST_CASE("a suspended card that was read all the same is judged by what it gave") {
  Judge judge;
  CardSample sample = sample_at(at(1s), 103, 72);
  sample.runtime = RuntimeStatus::suspended;
  CHECK(junction_verdict(judge(sample)).celsius == Celsius::from_degrees(103));
}

TEST_CASE("parking needs fresh samples too, the right card, and a card at all") {
  Judge judge;
  judge.deadline = 700ms;
  judge(asleep_at(at(1s)));
  CHECK(junction_kind(judge(std::nullopt, at(1800ms))) == VerdictKind::stale);
  CardSample gone = asleep_at(at(2s));
  gone.off_the_bus = true;
  CHECK(junction_kind(judge(gone)) == VerdictKind::unreadable);
  judge.card.unique_id = "0000000000000001";
  CHECK(junction_kind(judge(asleep_at(at(3s)))) == VerdictKind::unreadable);
}

TEST_CASE("a descriptor lost in a reset and found again is blind in between (T09, T10)") {
  Judge judge;
  judge(sample_at(at(1s), 61, 72));
  CardSample lost = sample_at(at(1500ms), 61, 72);
  junction_of(lost).input = {.error = ENODEV, .text = {}};
  CHECK(junction_kind(judge(lost)) == VerdictKind::unreadable);
  CHECK(junction_kind(judge(sample_at(at(2s), 61, 72))) == VerdictKind::measured);
}
