// A card without any holder that is hot all the same: an alarm, and the containers that bind it where it does
// not cool; none where it does (design, section 4).
#include <algorithm>
#include <functional>
#include <vector>

#include "catch.h"
#include "decide/heat_alone.h"

using namespace interlock;
using namespace std::chrono_literals;
using decide::HeatAlone;
using decide::stays_hot;
using decide::Temperatures;

namespace {

GuardPolicy guard(Duration stop = 20s) {
  GuardPolicy rules;
  rules.channels[0] =
      Limits{Celsius::from_degrees(95), Celsius::from_degrees(102), Celsius::from_degrees(85)};
  rules.shed.stop = stop;
  return rules;
}

Verdict measured(double degrees) {
  return {VerdictKind::measured, Celsius::from_milli(static_cast<std::int64_t>(degrees * 1000)), {}, {}};
}

const Verdict kUnreadable{VerdictKind::unreadable, std::nullopt, {}, "EIO"};

struct Told {
  std::vector<int> alarms;  // in which second
  std::vector<int> containers;
};

/// The card alone for `seconds`, looked at once a second; `junction` in each of them.
Told watched(const GuardPolicy& rules, int seconds, const std::function<double(int)>& junction) {
  Told told;
  HeatAlone heat;
  for (int second = 0; second <= seconds; ++second) {
    const Instant now{std::chrono::seconds(1000 + second)};
    const auto due = heat.look(rules, {measured(junction(second)), std::nullopt}, true, now);
    if (due.alarm) told.alarms.push_back(second);
    if (due.containers) told.containers.push_back(second);
  }
  return told;
}

}  // namespace

TEST_CASE("a second after the stop: blind or not cooler is hot, cooling is not (11.7)") {
  const Temperatures before{Celsius::from_degrees(104), std::nullopt};
  CHECK(stays_hot(guard(), before, {measured(104), std::nullopt}));
  CHECK(stays_hot(guard(), before, {measured(106), std::nullopt}));
  CHECK_FALSE(stays_hot(guard(), before, {measured(103), std::nullopt}));
  CHECK_FALSE(stays_hot(guard(), before, {measured(90), std::nullopt}));
  CHECK(stays_hot(guard(), before, {kUnreadable, std::nullopt}));
  CHECK(stays_hot(guard(), before, {}));

  SECTION("a trip for blindness knew no temperature") {
    CHECK(stays_hot(guard(), {}, {measured(102), std::nullopt}));
    CHECK_FALSE(stays_hot(guard(), {}, {measured(101), std::nullopt}));
  }
}

TEST_CASE("hot, nobody is seen, and it does not cool: an alarm, then its containers, again and again") {
  const Told told = watched(guard(), 65, [](int) { return 104.0; });
  CHECK(told.alarms == std::vector<int>{2});
  CHECK(told.containers == std::vector<int>{20, 40, 60});
  const Told rising = watched(guard(), 25, [](int second) { return 102.0 + 0.2 * second; });
  CHECK(rising.containers == std::vector<int>{20});
}

TEST_CASE("a card that cools keeps its containers, however slow and however short the stop's time (lab)") {
  const auto half_a_degree = [](int second) { return 118.0 - 0.5 * second; };
  CHECK(watched(guard(3s), 60, half_a_degree).containers.empty());
  CHECK(watched(guard(20s), 60, half_a_degree).containers.empty());
  CHECK(watched(guard(3s), 60, half_a_degree).alarms == std::vector<int>{2});
}

TEST_CASE("one that stops cooling above its trip is not left alone, nor one that goes up and down") {
  const Told stuck = watched(guard(), 80, [](int second) { return std::max(110.0 - 0.5 * second, 105.0); });
  CHECK(stuck.containers == std::vector<int>{40, 60, 80});
  // Whoever computes by fits and starts: it must be cooler each time, so it soon is not.
  const Told restless = watched(guard(), 80, [](int second) { return second % 7 < 3 ? 103.0 : 105.0; });
  REQUIRE_FALSE(restless.containers.empty());
  CHECK(restless.containers.front() <= 40);
}

TEST_CASE("below its trip, with a holder, or while it is shed, nothing is due, and the time begins anew") {
  HeatAlone heat;
  const Verdicts hot{measured(104), std::nullopt};
  const auto at = [](int second) { return Instant{std::chrono::seconds(1000 + second)}; };
  CHECK_FALSE(heat.look(guard(), hot, true, at(0)).containers);
  SECTION("below its trip") {
    CHECK_FALSE(heat.look(guard(), {measured(101), std::nullopt}, true, at(19)).containers);
  }
  SECTION("somebody has it, or a ladder is climbed") {
    CHECK_FALSE(heat.look(guard(), hot, false, at(19)).containers);
  }
  CHECK_FALSE(heat.look(guard(), hot, true, at(20)).containers);
  CHECK_FALSE(heat.look(guard(), hot, true, at(39)).containers);
  CHECK(heat.look(guard(), hot, true, at(40)).containers);
}

TEST_CASE("a channel that cannot be believed beside a hot one is not cooling") {
  GuardPolicy rules = guard();
  rules.channels[1] =
      Limits{Celsius::from_degrees(93), Celsius::from_degrees(101), Celsius::from_degrees(85)};
  const auto at = [](int second) { return Instant{std::chrono::seconds(1000 + second)}; };
  HeatAlone heat;
  CHECK_FALSE(heat.look(rules, {measured(110), measured(90)}, true, at(0)).containers);
  CHECK(heat.look(rules, {measured(104), kUnreadable}, true, at(20)).containers);
  CHECK_FALSE(heat.look(rules, {measured(103), measured(90)}, true, at(40)).containers);
}
