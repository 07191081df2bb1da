// Who serves each card (design, section 5; cases/serving.md; two-v620 failures 7 and 8).
#include "catch.h"
#include "decide/card_map.h"
#include "two_v620.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::two_v620;

namespace {

HostState without_holders() {
  HostState state = normal();
  for (Card& card : state.cards) card.holders.clear();
  return state;
}

CardUse use_of_gpu1(const HostState& state) {
  return card_use(state, policy(), state.cards[0]);
}

Holder holder_in(std::optional<Vmid> container, std::optional<UnitName> unit, Truth uses) {
  Holder holder = server(k120, kQwen36, kGpu1);
  holder.place = {container, std::move(unit), "/somewhere", true, false};
  holder.uses = uses;
  return holder;
}

}  // namespace

TEST_CASE("two-v620 as it normally works: each card is served by its container's unit") {
  const HostState state = normal();
  CHECK(card_use(state, policy(), state.cards[0]) == CardUse{MapState::serving, k120, kQwen36});
  CHECK(card_use(state, policy(), state.cards[1]) == CardUse{MapState::serving, k123, kQwen38});
}

TEST_CASE(
    "enabled is not serving: without a process on the card it is configured or idle (two-v620 failure 8)") {
  HostState state = without_holders();
  SECTION("enabled and not active") {
    state.container(k120)->units[0].active = ActiveState::inactive;
    CHECK(use_of_gpu1(state) == CardUse{MapState::configured, k120, kQwen36});
  }
  SECTION("active and healthy, on the CPU (S10, U13)") {
    CHECK(use_of_gpu1(state) == CardUse{MapState::idle, k120, kQwen36});
  }
  SECTION("whether it is active cannot be told") {
    state.container(k120)->units[0].active = ActiveState::unknown;
    CHECK(use_of_gpu1(state) == CardUse{MapState::unknown, k120, kQwen36});
  }
  SECTION("no unit enabled") {
    state.container(k120)->units[0] = unit(kQwen36, false);
    CHECK(use_of_gpu1(state) == CardUse{MapState::idle, k120, std::nullopt});
  }
}

TEST_CASE(
    "a container that is stopped on purpose defers its card: an answer, not an error (two-v620 failure 7)") {
  HostState state = without_holders();
  state.container(k120)->running = RunState::stopped;
  state.container(k120)->units_answer = UnitsAnswer::not_running;
  state.container(k120)->units.clear();
  CHECK(use_of_gpu1(state) == CardUse{MapState::deferred, k120, std::nullopt});
}

TEST_CASE("nobody binds it, nobody has it open: none") {
  HostState state = without_holders();
  state.container(k120)->bindings.clear();
  CHECK(use_of_gpu1(state) == CardUse{MapState::none, std::nullopt, std::nullopt});
  // The snapshot of 123 gives nobody anything.
  CHECK(card_use(state, policy(), state.cards[1]).container == k123);
}

TEST_CASE("a unit that is starting and holds the card serves it (U10)") {
  HostState state = normal();
  state.container(k120)->units[0].active = ActiveState::activating;
  CHECK(use_of_gpu1(state).state == MapState::serving);
}

TEST_CASE("what a stopped unit left behind is foreign, not serving (S01, S02)") {
  HostState state = normal();
  state.container(k120)->units[0] = unit(kQwen36, false);
  CHECK(use_of_gpu1(state) == CardUse{MapState::foreign, k120, kQwen36});
}

TEST_CASE("foreign: started by hand, another unit, the host, an undeclared container, a user's unit") {
  HostState state = normal();
  auto& holders = state.cards[0].holders;
  SECTION("pct exec, in no unit (S11, two-v620 failure 9)") {
    holders = {holder_in(k120, {}, Truth::yes)};
    CHECK(use_of_gpu1(state) == CardUse{MapState::foreign, k120, std::nullopt});
  }
  SECTION("a docker scope (S04)") {
    holders = {holder_in(k120, UnitName::parse("docker-abc.scope"), Truth::yes)};
    CHECK(use_of_gpu1(state).state == MapState::foreign);
  }
  SECTION("a unit that is not declared") {
    holders = {holder_in(k120, UnitName::parse("comfyui.service"), Truth::yes)};
    CHECK(use_of_gpu1(state) == CardUse{MapState::foreign, k120, UnitName::parse("comfyui.service")});
  }
  SECTION("a process of the host") {
    holders = {holder_in({}, UnitName::parse("ollama.service"), Truth::yes)};
    CHECK(use_of_gpu1(state) == CardUse{MapState::foreign, std::nullopt, UnitName::parse("ollama.service")});
  }
  SECTION("the bystander container") {
    holders = {holder_in(k121, kQwen36, Truth::yes)};
    CHECK(use_of_gpu1(state) == CardUse{MapState::foreign, k121, kQwen36});
  }
  SECTION("a user's unit of the same name (S05)") {
    holders = {holder_in(k120, kQwen36, Truth::yes)};
    holders[0].place.cgroup =
        "/lxc/120/ns/user.slice/user-1000.slice/user@1000.service/app.slice/llamacpp.service";
    CHECK(use_of_gpu1(state).state == MapState::foreign);
  }
}

TEST_CASE("serving wins over a foreign holder beside it, foreign over an idle one") {
  HostState state = normal();
  state.cards[0].holders.insert(state.cards[0].holders.begin(), holder_in(k120, {}, Truth::yes));
  CHECK(use_of_gpu1(state) == CardUse{MapState::serving, k120, kQwen36});
  state.cards[0].holders = {holder_in(k120, {}, Truth::no), holder_in(k121, {}, Truth::yes)};
  CHECK(use_of_gpu1(state) == CardUse{MapState::foreign, k121, std::nullopt});
}

TEST_CASE("an idle holder is not what serves (S12)") {
  HostState state = normal();
  state.cards[0].holders = {holder_in(k120, UnitName::parse("gateway.service"), Truth::no)};
  CHECK(use_of_gpu1(state) == CardUse{MapState::idle, k120, kQwen36});
  state.container(k120)->units[0].active = ActiveState::inactive;
  CHECK(use_of_gpu1(state) == CardUse{MapState::configured, k120, kQwen36});
  state.container(k120)->bindings.clear();
  CHECK(use_of_gpu1(state) == CardUse{MapState::idle, k120, UnitName::parse("gateway.service")});
}

TEST_CASE("what decides and could not be seen makes it unknown") {
  HostState state = normal();
  SECTION("whether the holder uses the card") {
    state.cards[0].holders[0].uses = Truth::unknown;
    CHECK(use_of_gpu1(state) == CardUse{MapState::unknown, k120, kQwen36});
  }
  SECTION("whether the holder's unit lives") {
    state.container(k120)->units.clear();
    CHECK(use_of_gpu1(state) == CardUse{MapState::unknown, k120, kQwen36});
  }
  SECTION("a unit in no state that we know (U08)") {
    state.container(k120)->units[0].active = ActiveState::unknown;
    CHECK(use_of_gpu1(state).state == MapState::unknown);
  }
  SECTION("a process that may hold any card") {
    state.cards[0].holders.clear();
    state.unknown_holders = {{99, {k121, {}, {}, true, false}, "may not be looked into"}};
    CHECK(use_of_gpu1(state) == CardUse{MapState::unknown, k121, std::nullopt});
  }
  SECTION("whether the container runs") {
    state.cards[0].holders.clear();
    state.container(k120)->running = RunState::unknown;
    CHECK(use_of_gpu1(state) == CardUse{MapState::unknown, k120, std::nullopt});
  }
  SECTION("its units, when nothing is on the card") {
    state.cards[0].holders.clear();
    state.container(k120)->units.clear();
    state.container(k120)->units_answer = UnitsAnswer::unanswered;
    CHECK(use_of_gpu1(state) == CardUse{MapState::unknown, k120, std::nullopt});
  }
}

TEST_CASE("a certain server is known even beside a process that could not be looked into") {
  HostState state = normal();
  state.unknown_holders = {{99, {}, "may not be looked into"}};
  CHECK(use_of_gpu1(state).state == MapState::serving);
}

TEST_CASE("of several containers that bind a card, the one that runs is named") {
  HostState state = without_holders();
  state.container(k121)->bindings = state.container(k120)->bindings;
  state.container(k121)->running = RunState::stopped;
  CHECK(use_of_gpu1(state).container == k120);
  state.container(k120)->running = RunState::stopped;
  state.container(k120)->autostart = {};
  CHECK(use_of_gpu1(state).container == k121);  // it would start
  state.container(k121)->autostart = {};
  CHECK(use_of_gpu1(state).container == k120);  // the ledger's owner
}

TEST_CASE("every state of the map has its word") {
  for (const auto& [state, word] :
       std::vector<std::pair<MapState, std::string>>{{MapState::serving, "serving"},
                                                     {MapState::configured, "configured"},
                                                     {MapState::deferred, "deferred"},
                                                     {MapState::idle, "idle"},
                                                     {MapState::foreign, "foreign"},
                                                     {MapState::unknown, "unknown"},
                                                     {MapState::none, "none"}}) {
    CHECK(to_string(state) == word);
  }
}
