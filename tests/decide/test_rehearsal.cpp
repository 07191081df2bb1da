// A drill tells the truth about the guard, since it is the guard's own judge and trip machine.
#include "catch.h"
#include "decide/rehearsal.h"
#include "guard_samples.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::test;
using namespace std::chrono_literals;

namespace {

RehearsedTrip trip_of(const std::vector<RehearsedTrip>& trips, Channel channel, Mishap mishap) {
  for (const RehearsedTrip& trip : trips) {
    if (trip.channel == channel && trip.mishap == mishap) return trip;
  }
  FAIL("not rehearsed");
  return {};
}

ShedTarget unit_of_120() {
  return {.kind = ShedTarget::Kind::unit,
          .container = Vmid::parse("120"),
          .unit = UnitName::parse("llamacpp.service"),
          .cgroup = "/lxc/120/ns/system.slice/llamacpp.service",
          .whole = true,
          .processes = {{4711, 1}}};
}

ShedTarget hand_started() {
  return {.kind = ShedTarget::Kind::process,
          .container = Vmid::parse("123"),
          .unit = std::nullopt,
          .cgroup = "/lxc/123/ns/.lxc",
          .whole = false,
          .processes = {{4712, 1}}};
}

std::vector<std::string> in_words(const std::vector<RehearsedRung>& rungs) {
  std::vector<std::string> words;
  for (const RehearsedRung& rung : rungs)
    words.push_back(std::string(to_string(rung.rung)) + " " + rung.subject + ": " + rung.text);
  return words;
}

}  // namespace

TEST_CASE("each channel is rehearsed alone: one that reads well never hides the other (two-v620 failure 4)") {
  const GuardPolicy guard = v620_guard();
  const auto trips = rehearse_trips(gpu1(), guard, sample_at(at(60s), 62, 70));
  REQUIRE(trips.size() == 4);
  for (const Channel channel : kChannels) {
    const auto hot = trip_of(trips, channel, Mishap::hot);
    REQUIRE(hot.after.has_value());
    // A jump is believed with its second sample, and both count (design, section 4).
    CHECK(*hot.after <= guard.poll);
    CHECK(hot.why.find(to_string(channel)) != std::string::npos);
    const auto lost = trip_of(trips, channel, Mishap::unreadable);
    REQUIRE(lost.after.has_value());
    CHECK(*lost.after <= guard.blind_grace + guard.poll);
    CHECK(lost.why.find(to_string(channel)) != std::string::npos);
  }
}

TEST_CASE("a card that is blind already is rehearsed as it is") {
  const GuardPolicy guard = v620_guard();
  CardSample sample = sample_at(at(60s), 62, 70);
  memory_of(sample).input = {.error = ENODEV, .text = {}};
  const auto trips = rehearse_trips(gpu1(), guard, sample);
  CHECK(trip_of(trips, Channel::memory, Mishap::unreadable).after.has_value());
  CHECK(trip_of(trips, Channel::junction, Mishap::hot).after.has_value());
}

TEST_CASE("a card at rest is rehearsed as one that wakes hot") {
  CardSample sample = sample_at(at(60s), 40, 40);
  sample.channels = {};
  sample.runtime = RuntimeStatus::suspended;
  const auto trips = rehearse_trips(gpu1(), v620_guard(), sample);
  CHECK(trip_of(trips, Channel::junction, Mishap::unreadable).after.has_value());
}

TEST_CASE("the rungs of a drill are those of the ladder, in its order, each with its time") {
  const GuardPolicy guard = v620_guard();
  const auto rungs =
      rehearse_ladder(guard, {unit_of_120(), hand_started()}, {*Vmid::parse("120"), *Vmid::parse("123")});
  CHECK(in_words(rungs) ==
        std::vector<std::string>{
            "freeze 120/llamacpp.service: freeze its cgroup /lxc/120/ns/system.slice/llamacpp.service",
            "stop-unit 120/llamacpp.service: ask the systemd of container 120 to stop llamacpp.service, and "
            "thaw it",
            "kill 120/llamacpp.service: kill its cgroup /lxc/120/ns/system.slice/llamacpp.service whole",
            "kill pid 4712: kill it by its process descriptor", "stop-container 120: pct stop 120",
            "stop-container 123: pct stop 123", "kill-container 120: kill its cgroup whole",
            "kill-container 123: kill its cgroup whole",
            "last-resort host: none: the policy has no last resort"});
  CHECK(rungs.front().within == guard.shed.freeze);
  CHECK(rungs[1].within == guard.shed.stop);
}

TEST_CASE("a drill on a card that nobody has knows no rung but the last") {
  CHECK(rehearse_ladder(v620_guard(), {}, {}).size() == 1);
}
