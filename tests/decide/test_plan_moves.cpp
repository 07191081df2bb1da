// What the owners of such hosts move, each shape with its plan, its proof and its end: swaps, rotations, one
// container of several, both ways of binding, and both releases of Proxmox (pct.md, section 2, "what is
// live").
#include <algorithm>

#include "decide/plan_lines.h"
#include "placements.h"

using namespace interlock;
using namespace interlock::planning;

namespace {

const World kThree{3, 3};
const Vmid kA = World::vmid(0);  // written by mount entries
const Vmid kB = World::vmid(1);  // by devN
const Vmid kC = World::vmid(2);  // by mount entries
const PciAddress kFirst = World::pci(0);
const PciAddress kSecond = World::pci(1);
const PciAddress kThird = World::pci(2);

Want serving(const std::set<PciAddress>& cards) {
  return running(cards, World::unit(0));
}

/// Each container serves with its own card.
HostState each_its_own() {
  const HostState state = kThree.empty();
  const Target target{"each its own",
                      {{kA, serving({kFirst})}, {kB, serving({kSecond})}, {kC, serving({kThird})}}};
  Target named = target;
  for (auto& [vmid, want] : named.wants) want.settings["onboot"] = "1";
  return reached(state, kThree.policy(), named, "c0");
}

void check_owner(const HostState& state, Vmid vmid, const std::set<PciAddress>& cards) {
  INFO(vmid.text());
  const Container& container = *state.container(vmid);
  CHECK(container.cards() == cards);
  CHECK(container.running == RunState::running);
  CHECK(container.autostart.onboot);
  for (const PciAddress& card : cards) CHECK(state.ledger->at(card) == Owner::of(vmid));
  CHECK(decide::serves(state, vmid, World::unit(0), cards));
}

int times(const Plan& plan, StepKind kind) {
  return static_cast<int>(std::ranges::count(plan.steps, kind, &Step::kind));
}

std::vector<std::string> lines_of(const Container& container) {
  std::vector<std::string> lines;
  for (const Binding& binding : container.bindings) lines.push_back(binding.line);
  return lines;
}

}  // namespace

TEST_CASE("two running containers swap their cards: both are down before either is written (I1)") {
  const HostState state = each_its_own();
  const Target swap{"swap", {{kA, serving({kSecond})}, {kB, serving({kFirst})}}};
  const Plan plan = planned(state, kThree.policy(), swap);
  const HostState end = reached(state, kThree.policy(), swap);
  check_owner(end, kA, {kSecond});
  check_owner(end, kB, {kFirst});
  CHECK(times(plan, StepKind::stop_container) == 2);
  CHECK(times(plan, StepKind::release_cards) == 2);
  SECTION("the third goes on serving, untouched (I5)") {
    CHECK(*end.container(kC) == *state.container(kC));
    CHECK_FALSE(has_step(plan, StepKind::take_card, "gpu2"));
  }
  SECTION("each card is written in its new container's own style, and by its old lines when it comes home") {
    CHECK(lines_of(*end.container(kB)) ==
          std::vector<std::string>{"dev0: /dev/dri/renderD128", "dev1: /dev/dri/card0"});
    const HostState home =
        reached(as_seen(end), kThree.policy(), decide::way_back(state, kThree.policy(), swap));
    CHECK(lines_of(*home.container(kA)) == lines_of(*state.container(kA)));
    CHECK(lines_of(*home.container(kB)) == lines_of(*state.container(kB)));
    CHECK(home.container(kB)->settings == state.container(kB)->settings);
  }
}

TEST_CASE("three running containers pass their cards round (verification.md 3.5)") {
  const HostState state = each_its_own();
  const Target round{"round", {{kA, serving({kSecond})}, {kB, serving({kThird})}, {kC, serving({kFirst})}}};
  const Plan plan = planned(state, kThree.policy(), round);
  const HostState end = reached(state, kThree.policy(), round);
  check_owner(end, kA, {kSecond});
  check_owner(end, kB, {kThird});
  check_owner(end, kC, {kFirst});
  CHECK(times(plan, StepKind::stop_container) == 3);
  CHECK(times(plan, StepKind::see_card_free) == 3);
  SECTION("and three rounds lead to where it began") {
    HostState at = end;
    for (int times_more = 0; times_more < 2; ++times_more) {
      Target next{"round again", {}};
      for (const Vmid vmid : {kA, kB, kC}) {
        const PciAddress card = *at.container(vmid)->cards().begin();
        next.wants[vmid] = serving({card == kFirst ? kSecond : card == kSecond ? kThird : kFirst});
      }
      at = reached(as_seen(at), kThree.policy(), next);
    }
    check_owner(at, kA, {kFirst});
    check_owner(at, kC, {kThird});
  }
}

TEST_CASE("a card that joins a running container stops it in between, and its giver for good") {
  const HostState state = each_its_own();
  const Target target{"two for A", {{kA, serving({kFirst, kSecond})}, {kB, stopped()}}};
  const auto steps = brief(planned(state, kThree.policy(), target));
  const auto at = [&](const std::string& step) { return std::ranges::find(steps, step) - steps.begin(); };
  CHECK(at("stop-container 100") < at("bind-cards 100"));
  CHECK(at("stop-container 101") < at("release-cards 101"));
  CHECK(at("release-cards 101") < at("bind-cards 100"));
  CHECK(at("bind-cards 100") < at("start-container 100"));
  CHECK(at("start-container 100") < at("sweep host"));
  const HostState end = reached(state, kThree.policy(), target);
  check_owner(end, kA, {kFirst, kSecond});
  CHECK(end.container(kB)->running == RunState::stopped);
  CHECK_FALSE(end.container(kB)->autostart.onboot);
}

TEST_CASE(
    "a target that names cards alone leaves power, autostart and units as they are (design, section 3)") {
  const HostState state = each_its_own();
  Want cards;
  cards.cards = {kSecond};
  Want none;
  none.cards.emplace();
  const Target target{"cards alone", {{kA, cards}, {kB, none}}};
  const HostState end = reached(state, kThree.policy(), target);
  CHECK(end.container(kA)->cards() == std::set{kSecond});
  CHECK(end.container(kB)->cards().empty());
  for (const Vmid vmid : {kA, kB}) {
    INFO(vmid.text());
    CHECK(end.container(vmid)->running == RunState::running);
    CHECK(end.container(vmid)->autostart == state.container(vmid)->autostart);
    CHECK(end.container(vmid)->units == state.container(vmid)->units);
  }
  CHECK(end.ledger->at(kFirst) == Owner::nobody());
}

TEST_CASE("a target that names one container of several touches no other (I5)") {
  const HostState state = each_its_own();
  const HostState end = reached(state, kThree.policy(), {"C stops", {{kC, stopped()}}});
  CHECK(*end.container(kA) == *state.container(kA));
  CHECK(*end.container(kB) == *state.container(kB));
  CHECK(end.ledger->at(kThird) == Owner::nobody());
}

TEST_CASE("from where a target holds there is nothing to do, in both ways of binding, running or stopped") {
  const Policy rules = kThree.policy();
  const Target target{"mixed", {{kA, serving({kFirst})}, {kB, stopped({kSecond})}, {kC, stopped({kThird})}}};
  HostState end = as_seen(reached(each_its_own(), rules, target));
  CHECK(planned(end, rules, target, "c2").empty());
  SECTION("devices are not in lxc's own configuration, so that it cannot lack them (pct.md 2)") {
    CHECK(end.container(kB)->generated_cards.empty());
    CHECK(end.container(kC)->generated_cards == std::set{kThird});
  }
  SECTION("a raw line that it lacks is one thing to do: it was edited by hand") {
    end.container(kC)->generated_cards.clear();
    CHECK(brief(planned(end, rules, target, "c2")) ==
          std::vector<std::string>{"set-limits 102", "sweep host"});
  }
}

TEST_CASE("Proxmox 8: a device that was added to a running container waits for its next start (B16)") {
  const Policy rules = kThree.policy();
  HostState state = reached(each_its_own(), rules, {"C stops", {{kC, stopped()}}});
  Container& container = *state.container(kB);
  Binding pending = decide::binding_of(state, rules, "dev7: /dev/dri/renderD130", {kThird});
  pending.when = Binding::When::next_start;
  container.bindings.push_back(pending);
  container.pending = {"dev7"};
  SECTION("wanted: it is not written twice, and the container is restarted to have it") {
    const Target target{"two for B", {{kB, serving({kSecond, kThird})}}};
    const Plan plan = planned(state, rules, target);
    CHECK(has_step(plan, StepKind::stop_container, "101"));
    CHECK_FALSE(has_step(plan, StepKind::bind_cards, "101"));
    check_owner(reached(state, rules, target), kB, {kSecond, kThird});
  }
  SECTION("not wanted: it is taken out, or the next start would bring it") {
    const Target target{"one for B", {{kB, serving({kSecond})}}};
    CHECK(has_step(planned(state, rules, target), StepKind::release_cards, "101"));
    check_owner(reached(state, rules, target), kB, {kSecond});
  }
  SECTION("wanted by another: nobody may have it before that") {
    const Target target{"two for A", {{kA, serving({kFirst, kThird})}}};
    CHECK(refusal(state, rules, target) ==
          "gpu2 would be with more than one: 100 and 101, which this target does not name");
  }
}

TEST_CASE("Proxmox 9: a device that was added to a running container is there at once (B16)") {
  const Policy rules = kThree.policy();
  HostState state = reached(each_its_own(), rules, {"C stops", {{kC, stopped()}}});
  Container& container = *state.container(kB);
  container.bindings.push_back(decide::binding_of(state, rules, "dev7: /dev/dri/renderD130", {kThird}));
  container.settings["dev7"] = "/dev/dri/renderD130";
  SECTION("wanted, and in use: it only becomes its own in the ledger") {
    state.ledger->at(kThird) = Owner::of(kC);
    state.cards[2].holders = {two_v620::server(kB, World::unit(0), kThird)};
    const Target target{"two for B", {{kB, serving({kSecond, kThird})}}};
    CHECK(brief(planned(state, rules, target)) == std::vector<std::string>{"give-card gpu2", "sweep host"});
    check_owner(reached(state, rules, target), kB, {kSecond, kThird});
  }
  SECTION("not wanted: no release takes one away while it runs, so it stops in between") {
    const Target target{"one for B", {{kB, serving({kSecond})}}};
    const Plan plan = planned(state, rules, target);
    CHECK(has_step(plan, StepKind::stop_container, "101"));
    CHECK(has_step(plan, StepKind::see_card_free, "gpu2"));
    CHECK(has_step(plan, StepKind::release_cards, "101"));
    check_owner(reached(state, rules, target), kB, {kSecond});
  }
}

TEST_CASE("a device whose removal is pending is held until the container stops, on every release (B15)") {
  const Policy rules = kThree.policy();
  HostState state = each_its_own();
  Container& container = *state.container(kB);
  for (Binding& binding : container.bindings) binding.live_after_removal = true;
  container.pending = {"delete", "dev0", "dev1"};
  SECTION("not wanted: a stop is all that it takes") {
    Target target{"B has none", {{kB, running({}, std::nullopt)}}};
    target.wants[kB].retire_all = true;
    const Plan plan = planned(state, rules, target);
    CHECK(has_step(plan, StepKind::stop_container, "101"));
    CHECK(has_step(plan, StepKind::see_card_free, "gpu1"));
    CHECK_FALSE(has_step(plan, StepKind::release_cards, "101"));
    CHECK(reached(state, rules, target).container(kB)->cards().empty());
  }
  SECTION("wanted by another: its holder is stopped first") {
    const Target target{"two for A", {{kA, serving({kFirst, kSecond})}, {kB, stopped()}}};
    check_owner(reached(state, rules, target), kA, {kFirst, kSecond});
  }
  SECTION("wanted after all: it is written again") {
    const Target target{"B keeps it", {{kB, serving({kSecond})}}};
    CHECK(has_step(planned(state, rules, target), StepKind::bind_cards, "101"));
    check_owner(reached(state, rules, target), kB, {kSecond});
  }
}

TEST_CASE("a card goes through every style and back, and each container's lines are its own again (I5)") {
  const HostState state = each_its_own();
  const Policy rules = kThree.policy();
  const Target to_device{"to B", {{kA, stopped()}, {kB, serving({kFirst, kSecond})}}};
  const Target to_entry{"to C", {{kB, serving({kSecond})}, {kC, serving({kFirst, kThird})}}};
  const Target home{"home", {{kA, serving({kFirst})}, {kC, serving({kThird})}}};
  HostState at = as_seen(reached(state, rules, to_device));
  CHECK(lines_of(*at.container(kB)).size() == 4);
  at = as_seen(reached(at, rules, to_entry));
  CHECK(lines_of(*at.container(kC)).size() == 4);
  at = reached(at, rules, home);
  for (const Vmid vmid : {kA, kB, kC}) {
    INFO(vmid.text());
    CHECK(lines_of(*at.container(vmid)) == lines_of(*state.container(vmid)));
    CHECK(at.container(vmid)->settings == state.container(vmid)->settings);
    CHECK(at.container(vmid)->autostart == state.container(vmid)->autostart);
  }
}

TEST_CASE("`release: keep-binding` in the middle of a rotation: the one that stands keeps its lines") {
  const HostState state = each_its_own();
  const Policy rules = kThree.policy();
  Target target{"A stands", {{kA, stopped()}, {kB, serving({kFirst})}, {kC, serving({kSecond, kThird})}}};
  target.wants[kA].keep_binding = true;
  const HostState end = reached(state, rules, target);
  CHECK(lines_of(*end.container(kA)) == lines_of(*state.container(kA)));
  CHECK_FALSE(end.container(kA)->autostart.any());
  check_owner(end, kB, {kFirst});
  check_owner(end, kC, {kSecond, kThird});
}

TEST_CASE("a running container whose line was taken out by hand still has its card, for everybody (I1)") {
  HostState state = each_its_own();
  const Policy rules = kThree.policy();
  state.container(kA)->bindings.clear();  // what was generated for it still has the card
  const Target target{"two for C", {{kC, serving({kFirst, kThird})}}};
  CHECK(refusal(state, rules, target) ==
        "gpu0 would be with more than one: 102 and 100, which this target does not name");
  SECTION("nor is it given away behind a container that is named for something else") {
    Target both = target;
    both.wants[kA].settings["memory"] = "8192";
    CHECK(refusal(state, rules, both) == "gpu0 would be with more than one: 100 and 102");
  }
  SECTION("named, it is stopped, and then it has it no more") {
    Target both = target;
    both.wants[kA] = stopped();
    check_owner(reached(state, rules, both), kC, {kFirst, kThird});
  }
}
