#include "catch.h"
#include "decide/verdict.h"
#include "guard_samples.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::test;
using namespace std::chrono_literals;

TEST_CASE("a sound sample is measured, channel by channel") {
  Judge judge;
  const Judgement judgement = judge(sample_at(at(1s), 61, 72));
  CHECK(junction_verdict(judgement) == Verdict{VerdictKind::measured, Celsius::from_degrees(61), at(1s), ""});
  CHECK(memory_verdict(judgement) == Verdict{VerdictKind::measured, Celsius::from_degrees(72), at(1s), ""});
  CHECK(judgement.fresh == std::array{true, true});
  CHECK_FALSE(judgement.absent);
  CHECK_FALSE(judgement.lent);
}

TEST_CASE("before the first sample a card is blind (style: start unsafe)") {
  Judge judge;
  const Judgement judgement = judge(std::nullopt, at(1s));
  CHECK(junction_verdict(judgement).kind == VerdictKind::unreadable);
  CHECK(junction_verdict(judgement).why == "no sample came yet");
  CHECK(judgement.fresh == std::array{false, false});
}

TEST_CASE("only the channels that the policy requires are judged") {
  Judge judge;
  judge.guard.channels[1].reset();
  const Judgement judgement = judge(sample_at(at(1s), 61, 72));
  CHECK(judgement.verdicts[0]);
  CHECK_FALSE(judgement.verdicts[1]);
}

TEST_CASE(
    "one missing sensor beside a good one is unreadable: each is judged alone (T12, two-v620 failure 4)") {
  Judge judge;
  CardSample sample = sample_at(at(1s), 61, 72);
  memory_of(sample).input = {.error = ENOENT, .text = {}};
  const Judgement judgement = judge(sample);
  CHECK(junction_verdict(judgement).kind == VerdictKind::measured);
  CHECK(memory_verdict(judgement).kind == VerdictKind::unreadable);
  CHECK_FALSE(memory_verdict(judgement).celsius);
}

TEST_CASE("each errno of a read is unreadable, and says what it means (amdgpu.md 1.6)") {
  for (const int code :
       {EPERM, EBUSY, EOPNOTSUPP, EIO, EINVAL, EACCES, ENODEV, ENOENT, EHWPOISON, ETIMEDOUT, EXDEV}) {
    Judge judge;
    CardSample sample = sample_at(at(1s), 61, 72);
    junction_of(sample).input = {.error = code, .text = {}};
    INFO("errno " << code);
    CHECK(junction_verdict(judge(sample)).kind == VerdictKind::unreadable);
    CHECK_FALSE(junction_verdict(judge(sample, at(1s))).why.empty());
  }
}

TEST_CASE("a card that has only edge is blind to a policy that wants junction (T03, T04)") {
  Judge judge;
  CardSample sample = sample_at(at(1s), 61, 72);
  sample.channels = {};
  sample.edge = FileRead{.error = 0, .text = "55000\n"};
  CHECK(junction_verdict(judge(sample)).kind == VerdictKind::unreadable);
  CHECK(memory_verdict(judge(sample, at(1s))).why == "the card has no such sensor");
}

TEST_CASE("memory and edge have no order, and edge is not required (T05, T06)") {
  Judge judge;
  CardSample sample = sample_at(at(1s), 30, 26);
  sample.edge = FileRead{.error = 0, .text = "28000\n"};
  CHECK(memory_verdict(judge(sample)).kind == VerdictKind::measured);
  sample = sample_at(at(2s), 30, 34);
  sample.edge.reset();
  CHECK(memory_verdict(judge(sample)).kind == VerdictKind::measured);
}

TEST_CASE("a junction more than 15 C below the edge is implausible; at 15 C it is believed") {
  Judge judge;
  CardSample sample = sample_at(at(1s), 45, 60);
  sample.edge = FileRead{.error = 0, .text = "60000\n"};
  CHECK(junction_verdict(judge(sample)).kind == VerdictKind::measured);
  sample = sample_at(at(2s), 44, 60);
  sample.edge = FileRead{.error = 0, .text = "60000\n"};
  CHECK(junction_verdict(judge(sample)).kind == VerdictKind::implausible);
  CHECK(memory_verdict(judge(sample, at(2s))).kind == VerdictKind::measured);
}

TEST_CASE("an edge that is itself a lie or an error judges nothing (T08)") {
  for (const FileRead& edge :
       {FileRead{.error = EIO, .text = {}}, FileRead{.error = 0, .text = "511000\n"}}) {
    Judge judge;
    CardSample sample = sample_at(at(1s), 44, 60);
    sample.edge = edge;
    CHECK(junction_verdict(judge(sample)).kind == VerdictKind::measured);
  }
}

TEST_CASE("junction 511000 for one read is implausible, and blind until believable again (T08)") {
  Judge judge;
  CHECK_FALSE(junction_verdict(judge(sample_at(at(1s), 61, 72))).blind());
  CardSample lie = sample_at(at(1500ms), 511, 72);
  CHECK(junction_verdict(judge(lie)).kind == VerdictKind::implausible);
  CHECK(junction_verdict(judge(sample_at(at(2s), 61, 72))).kind == VerdictKind::measured);
}

TEST_CASE("another label than the one required is implausible: the temperature may be another sensor's") {
  for (const char* label : {"edge\n", "mem\n", "junction2\n", "temp2\n", "\n", "Junction\n"}) {
    Judge judge;
    CardSample sample = sample_at(at(1s), 61, 72);
    junction_of(sample).label.text = label;
    INFO(label);
    CHECK(junction_verdict(judge(sample)).kind == VerdictKind::implausible);
  }
  Judge judge;
  CardSample sample = sample_at(at(1s), 61, 72);
  junction_of(sample).label = {.error = ENODEV, .text = {}};
  CHECK(junction_verdict(judge(sample)).kind == VerdictKind::unreadable);
}

TEST_CASE("a card that is gone, off its bus, or not amdgpu's is unreadable whatever its files say") {
  Judge judge;
  CardSample sample = sample_at(at(1s), 61, 72);
  SECTION("no PCI folder") {
    sample.present = false;
    CHECK(judge(sample).absent);
    CHECK(junction_verdict(judge(sample, at(1s))).why == "there is no card at 0000:03:00.0");
  }
  SECTION("its config reads ffff (amdgpu.md 2.10)") {
    sample.off_the_bus = true;
    CHECK(junction_verdict(judge(sample)).why.starts_with("the card has dropped off its bus"));
    CHECK_FALSE(judge(sample, at(1s)).absent);
  }
  SECTION("lent to a virtual machine (11.11)") {
    sample.driver = "vfio-pci";
    sample.channels = {};
    CHECK(judge(sample).lent);
    CHECK(memory_verdict(judge(sample, at(1s))).why == "the driver vfio-pci has the card");
  }
  CHECK(junction_verdict(judge(sample, at(1s))).kind == VerdictKind::unreadable);
  CHECK(memory_verdict(judge(sample, at(1s))).kind == VerdictKind::unreadable);
}

TEST_CASE("another card in the slot than the policy's is unreadable, and so is one that cannot be told") {
  Judge judge;
  judge.card.unique_id = "7a3b1c5d9e2f4a60";
  CHECK(junction_verdict(judge(sample_at(at(1s), 61, 72))).kind == VerdictKind::measured);
  for (const FileRead& id :
       {FileRead{.error = 0, .text = "0000000000000001\n"}, FileRead{.error = 0, .text = ""},
        FileRead{.error = ENOENT, .text = {}}, FileRead{.error = EIO, .text = {}}}) {
    CardSample other = sample_at(judge.memory.sampled_at.value() + 1s, 61, 72);
    other.unique_id = id;
    CHECK(junction_verdict(judge(other)).kind == VerdictKind::unreadable);
  }
}

TEST_CASE("without a unique_id in the policy none is asked for (cards that give none)") {
  Judge judge;
  CardSample sample = sample_at(at(1s), 61, 72);
  sample.unique_id = {.error = ENOENT, .text = {}};
  CHECK(junction_verdict(judge(sample)).kind == VerdictKind::measured);
}

TEST_CASE("one sample alone is judged without a history, for a command line") {
  Card seen{.id = gpu1().id,
            .pci = gpu1().pci,
            .present = true,
            .driver = "amdgpu",
            .unique_id = std::nullopt,
            .replaced = false,
            .nodes = {},
            .sample = sample_at(at(5s), 61, 72),
            .memory_total = std::nullopt,
            .memory_used = std::nullopt,
            .gtt_used = std::nullopt,
            .emergency = {},
            .holders = {}};
  CHECK(judge_alone(gpu1(), v620_guard(), seen, at(9s))[0]->celsius == Celsius::from_degrees(61));
  CHECK(judge_alone(gpu1(), v620_guard(), seen, at(36s))[0]->kind == VerdictKind::stale);
  seen.sample.reset();
  CHECK(judge_alone(gpu1(), v620_guard(), seen, at(9s))[0]->kind == VerdictKind::unreadable);
}
