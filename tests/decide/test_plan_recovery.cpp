// Plans from the middle: what an interrupted cutover, a person or a power cut leaves (I4).
#include "decide/invariants.h"
#include "planning.h"

using namespace interlock;
using namespace interlock::two_v620;
using namespace interlock::planning;

namespace {

struct Interrupted {
  Policy rules = policy();
  HostState beginning = normal();
  Plan forward = planned(beginning, rules, to_qwen38fn());
  Target back = decide::way_back(beginning, rules, forward.target);

  /// As the host stands when the controller was killed behind that step, with its journal open.
  HostState after(StepKind kind, const std::string& subject) const {
    HostState state = beginning;
    for (const Step& step : forward.steps) {
      state = decide::after_step(state, rules, step);
      if (step.kind == kind && step.subject() == subject) break;
    }
    state.cutover = OpenCutover{"c1", "to-qwen38fn", "interrupted", false};
    return as_seen(state);
  }
};

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the way back names each container's beginning, to the letter (design, section 6; I5)") {
  const Interrupted at;
  CHECK(at.back.name == "back to before to-qwen38fn");
  REQUIRE(at.back.wants.size() == 2);
  const Want& first = at.back.wants.at(k120);
  CHECK(first.state == RunState::running);
  CHECK(first.cards == std::set<PciAddress>{kGpu1});
  CHECK(first.lines == std::map<PciAddress, std::vector<std::string>>{
                           {kGpu1, {entry(kGpu1, "render", "renderD129"), entry(kGpu1, "card", "card1")}}});
  CHECK(first.serve == kQwen36);
  CHECK(first.start);
  CHECK(first.serving);
  CHECK(first.enable);
  CHECK(first.settings == Settings{{"cores", "8"}, {"memory", "16384"}, {"swap", "4096"}, {"onboot", "1"}});
  CHECK(at.back.wants.at(k123).settings == Settings{{"onboot", "1"}});
  CHECK(decide::differences(at.beginning, at.rules, at.back).empty());
}

TEST_CASE("the way back asks of a unit only what it did (11.9)") {
  const Interrupted at;
  HostState state = normal();
  Unit& unit = state.container(k120)->units[0];
  const auto want = [&] { return decide::way_back(state, policy(), at.forward.target).wants.at(k120); };
  SECTION("it ran and used no card: it need not serve") {
    state.cards[0].holders.clear();
    CHECK_FALSE(want().serving);
    CHECK(want().start);
  }
  SECTION("it was enabled and did not run") {
    unit.active = ActiveState::failed;
    CHECK_FALSE(want().start);
    CHECK(want().enable);
  }
  SECTION("it ran and was not enabled") {
    unit.file = UnitFileState::disabled;
    CHECK(want().start);
    CHECK_FALSE(want().enable);
  }
  SECTION("none ran or was enabled") {
    unit.active = ActiveState::inactive;
    unit.file = UnitFileState::disabled;
    CHECK(want().retire_all);
    CHECK_FALSE(want().serve);
  }
  SECTION("its socket would start it") {
    unit.active = ActiveState::inactive;
    unit.file = UnitFileState::disabled;
    unit.started_by = {"foo.socket"};
    CHECK(want().serve == kQwen36);
    CHECK_FALSE(want().enable);
  }
  INFO(all(decide::differences(state, policy(), decide::way_back(state, policy(), at.forward.target))));
  CHECK(decide::differences(state, policy(), decide::way_back(state, policy(), at.forward.target)).empty());
  check_proven(state, policy(), planned(state, policy(), to_qwen38fn()));
}

TEST_CASE("what a setting was is wanted back, absent included (I5)") {
  HostState state = normal();
  state.container(k120)->settings.erase("swap");
  const Plan forward = planned(state, policy(), to_qwen38fn());
  const Target back = decide::way_back(state, policy(), forward.target);
  CHECK(back.wants.at(k120).settings.at("swap") == std::nullopt);
  const HostState end = reached(walked(state, policy(), forward), policy(), back);
  CHECK_FALSE(end.container(k120)->settings.contains("swap"));
}

TEST_CASE("taken and nothing more: the ledger is given back") {
  const Interrupted at;
  CHECK(brief(planned(at.after(StepKind::take_card, "gpu2"), at.rules, at.back)) ==
        std::vector<std::string>{"give-card gpu1", "give-card gpu2", "sweep host"});
}

TEST_CASE("both stopped, their cards still written in: they are started as they were") {
  const Interrupted at;
  const HostState state = at.after(StepKind::stop_container, "123");
  const Plan plan = planned(state, at.rules, at.back);
  CHECK(brief(plan) == std::vector<std::string>{
                           "give-card gpu1", "give-card gpu2", "start-container 120",
                           "retire-unit 120/llamacpp-qwen38fn.service", "start-container 123",
                           "start-unit 120/llamacpp.service", "start-unit 123/llamacpp-qwen38fn.service",
                           "see-serving 120/llamacpp.service", "see-serving 123/llamacpp-qwen38fn.service",
                           "enable-unit 120/llamacpp.service", "enable-unit 123/llamacpp-qwen38fn.service",
                           "restore-autostart 120", "restore-autostart 123", "sweep host"});
  check_proven(state, at.rules, plan);
}

TEST_CASE("nobody owns the card: it is written in again by its own lines") {
  const Interrupted at;
  HostState state = at.after(StepKind::release_cards, "123");
  SECTION("from the journal's way back, even when the keepsake is lost") {
    state.container(k123)->keepsake = {};
  }
  SECTION("and when the card has fallen off the bus, since the lines name its path") {
    state.cards[1].present = false;
    state.cards[1].nodes.clear();
  }
  const Plan plan = planned(state, at.rules, at.back);
  CHECK(step_of(plan, StepKind::bind_cards, "123").lines ==
        std::vector<std::string>{entry(kGpu2, "render", "renderD128"), entry(kGpu2, "card", "card2")});
  CHECK(has_step(plan, StepKind::see_card_free, "gpu2"));
  CHECK_FALSE(has_step(plan, StepKind::take_card, "gpu2"));  // it is held by this cutover already
  check_proven(state, at.rules, plan);
}

TEST_CASE("one line of a pair is written: the other is added, not both again (verification.md 4)") {
  const Interrupted at;
  HostState state = at.after(StepKind::release_cards, "123");
  state.container(k123)->bindings.push_back(binding(kGpu2, entry(kGpu2, "render", "renderD128")));
  const Plan plan = planned(state, at.rules, at.back);
  CHECK(step_of(plan, StepKind::bind_cards, "123").lines ==
        std::vector<std::string>{entry(kGpu2, "card", "card2")});
  SECTION("Proxmox has written \"=\" anew as \": \" meanwhile (pct.md 2)") {
    Target back = at.back;
    back.wants.at(k123).lines.at(kGpu2).front().replace(15, 1, " =");
    CHECK(step_of(planned(state, at.rules, back), StepKind::bind_cards, "123").lines ==
          std::vector<std::string>{entry(kGpu2, "card", "card2")});
  }
}

TEST_CASE("a generated configuration that still has the card is released, whatever the other says (11.9)") {
  const Interrupted at;
  HostState state = at.after(StepKind::release_cards, "123");
  state.container(k123)->generated_cards = {kGpu2};  // killed between the edit and the pct set behind it
  const Plan plan = planned(state, at.rules, at.forward.target);
  CHECK(step_of(plan, StepKind::release_cards, "123").cards == std::vector<PciAddress>{kGpu2});
  check_proven(state, at.rules, plan);
}

TEST_CASE("forward again from the middle needs only what is missing") {
  const Interrupted at;
  const HostState state = at.after(StepKind::give_card, "gpu2");
  const Plan plan = planned(state, at.rules, at.forward.target);
  CHECK(brief(plan) == std::vector<std::string>{"start-container 120", "retire-unit 120/llamacpp.service",
                                                "start-unit 120/llamacpp-qwen38fn.service",
                                                "see-serving 120/llamacpp-qwen38fn.service",
                                                "enable-unit 120/llamacpp-qwen38fn.service",
                                                "restore-autostart 120", "sweep host"});
  CHECK(step_of(plan, StepKind::restore_autostart, "120").settings == Settings{{"onboot", "1"}});
  check_proven(state, at.rules, plan);
}

TEST_CASE("a container that somebody started in the middle is stopped again before anything is written") {
  const Interrupted at;
  HostState state = at.after(StepKind::bind_cards, "120");
  Container& started = *state.container(k120);
  started.running = RunState::running;
  started.units_answer = UnitsAnswer::answered;
  started.units = {unit(kQwen36, false), unit(kQwen38, false)};
  const Plan plan = planned(state, at.rules, at.back);
  CHECK(has_step(plan, StepKind::stop_container, "120"));
  CHECK(has_step(plan, StepKind::see_card_free, "gpu2"));
  check_proven(state, at.rules, plan);
}

TEST_CASE("a state that breaks I1 already can be led out of, and is called inherited") {
  const Interrupted at;
  HostState state = at.after(StepKind::restore_autostart, "120");
  Container& woken = *state.container(k123);  // a snapshot was rolled back and started (pct.md 1.11)
  woken.running = RunState::running;
  woken.bindings = normal().container(k123)->bindings;
  woken.units_answer = UnitsAnswer::answered;
  woken.units = {unit(kQwen38, true)};
  REQUIRE_FALSE(decide::breaches(state, at.rules).empty());
  const Plan plan = planned(state, at.rules, at.back);
  const Proof proof = decide::prove(state, at.rules, plan);
  INFO(all(proof.breaches));
  CHECK(proof.holds());
  CHECK(proof.inherited.size() == 1);
}

TEST_CASE("what cannot be told is said, and never planned over (design, section 6)") {
  const Interrupted at;
  SECTION("whether a container runs") {
    HostState state = at.after(StepKind::stop_container, "123");
    state.container(k123)->running = RunState::unknown;
    CHECK(mentions(refusal(state, at.rules, at.back), "whether container 123 runs cannot be told"));
    CHECK(mentions(refusal(state, at.rules, at.forward.target), "whether container 123 runs cannot be told"));
  }
  SECTION("what the units of a running one do") {
    HostState state = at.after(StepKind::retire_unit, "120/llamacpp.service");
    state.container(k120)->units.clear();
    state.container(k120)->units_answer = UnitsAnswer::unanswered;
    state.container(k120)->units_error = "no answer within 30 s";
    CHECK(mentions(refusal(state, at.rules, at.back),
                   "what the units of container 120 do cannot be told: no answer within 30 s"));
  }
  SECTION("but one that stops for good need not answer: a hung container can be left") {
    HostState state = normal();
    state.container(k123)->units.clear();
    state.container(k123)->units_answer = UnitsAnswer::unanswered;
    CHECK(has_step(planned(state, at.rules, to_qwen38fn()), StepKind::stop_container, "123"));
  }
  SECTION("the ledger") {
    HostState state = at.after(StepKind::stop_container, "123");
    state.ledger.reset();
    state.ledger_error = "its checksum is wrong";
    CHECK(mentions(refusal(state, at.rules, at.back), "gpu-interlock ledger rebuild"));
  }
}

TEST_CASE("a card that is not free is attached to nobody (design, section 6; S01, S11)") {
  const Interrupted at;
  SECTION("a worker outlived its stopped container") {
    HostState state = at.after(StepKind::stop_container, "123");
    state.cards[1].holders = {server(k123, kQwen38, kGpu2)};
    CHECK(mentions(refusal(state, at.rules, at.forward.target),
                   "gpu2 is held by llama-server (process 4711, in "
                   "container 123), which nothing in this cutover ends"));
    SECTION("and yet its own container may have it back") {
      CHECK_FALSE(has_step(planned(state, at.rules, at.back), StepKind::bind_cards, "123"));
    }
  }
  SECTION("a benchmark on the host") {
    HostState state = normal();
    state.cards[1].holders.push_back(server(k123, kQwen38, kGpu2));
    state.cards[1].holders.back().place = {};
    state.cards[1].holders.back().command = "llama-bench";
    CHECK(
        mentions(refusal(state, at.rules, to_qwen38fn()), "held by llama-bench (process 4711, of the host)"));
  }
  SECTION("one that runs in a container which this cutover stops is no obstacle") {
    HostState state = normal();
    state.cards[1].holders[0].place.unit = std::nullopt;
    CHECK(has_step(planned(state, at.rules, to_qwen38fn()), StepKind::see_card_free, "gpu2"));
  }
}

TEST_CASE("cards that another open cutover holds are not ours") {
  const Interrupted at;
  const HostState state = at.after(StepKind::stop_container, "123");
  const auto plan = decide::plan(state, at.rules, at.back, "c2");
  REQUIRE_FALSE(plan);
  CHECK(mentions(plan.error().message, "held by the open cutover c1: gpu-interlock recover"));
}

TEST_CASE("a hold that outlived its cutover is taken over") {
  HostState state = normal();
  state.ledger->at(kGpu1) = Owner::held_by("long-gone");
  const Plan plan = planned(state, policy(), to_qwen36());
  CHECK(brief(plan) == std::vector<std::string>{"give-card gpu1", "sweep host"});
  CHECK(brief(planned(state, policy(), to_qwen38fn()))[0] == "take-card gpu1");
}

TEST_CASE("cards without a line in the ledger are taken and given all the same (design, section 6)") {
  HostState state = normal();
  state.ledger = Ledger{};
  CHECK(planned(state, policy(), to_qwen36()).empty());
  const HostState end = reached(state, policy(), to_qwen38fn());
  CHECK(end.ledger->at(kGpu2) == Owner::of(k120));
}
