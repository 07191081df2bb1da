// The golden plans of two-v620, and what a plan may leave out.
#include "planning.h"

using namespace interlock;
using namespace interlock::two_v620;
using namespace interlock::planning;

TEST_CASE("both cards go to container 120, in the order that is a law (design, section 6; two-v620)") {
  const Policy rules = policy();
  const HostState state = normal();
  const Plan plan = planned(state, rules, to_qwen38fn());
  CHECK(brief(plan) == std::vector<std::string>{
                           "take-card gpu1",                             // nobody can start with them now
                           "take-card gpu2",                             //
                           "retire-unit 120/llamacpp.service",           // 123's unit stays as it is inside
                           "clear-autostart 120",                        // a power cut brings nobody up
                           "clear-autostart 123",                        //
                           "stop-container 120",                         //
                           "stop-container 123",                         //
                           "see-card-free gpu1",                         //
                           "see-card-free gpu2",                         //
                           "release-cards 123",                          // here nobody owns gpu2
                           "bind-cards 120",                             //
                           "set-limits 120",                             //
                           "give-card gpu1",                             //
                           "give-card gpu2",                             //
                           "start-container 120",                        //
                           "retire-unit 120/llamacpp.service",           // 11.9
                           "start-unit 120/llamacpp-qwen38fn.service",   //
                           "see-serving 120/llamacpp-qwen38fn.service",  //
                           "enable-unit 120/llamacpp-qwen38fn.service",  //
                           "restore-autostart 120",                      //
                           "sweep host",                                 //
                       });
  CHECK(plan.steps[0].owner == Owner::held_by("c1"));
  CHECK(plan.steps[13].owner == Owner::of(k120));
  CHECK(plan.steps[9].cards == std::vector<PciAddress>{kGpu2});
  CHECK(plan.steps[9].lines ==
        std::vector<std::string>{entry(kGpu2, "render", "renderD128"), entry(kGpu2, "card", "card2")});
  CHECK(plan.steps[10].lines ==
        std::vector<std::string>{entry(kGpu2, "render", "renderD128"), entry(kGpu2, "card", "card2")});
  CHECK(plan.steps[11].settings == Settings{{"cores", "48"}, {"memory", "163840"}, {"swap", "0"}});
  CHECK(plan.steps[14].cards == std::vector<PciAddress>{kGpu1, kGpu2});
  CHECK(plan.steps[17].cards == std::vector<PciAddress>{kGpu1, kGpu2});
  CHECK(plan.steps[19].settings == Settings{{"onboot", "1"}});
  CHECK(plan.steps[0].id == 1);
  CHECK(plan.steps.back().id == 21);
  CHECK(plan.digests == std::map<Vmid, std::string>{{k120, "digest-of-120"}, {k123, "digest-of-123"}});
  CHECK(plan.boot_id == "c0ffee");
  check_proven(state, rules, plan);
}

TEST_CASE("and back again, each container with its card, its lines and its autostart (two-v620)") {
  const Policy rules = policy();
  const HostState there = as_seen(reached(normal(), rules, to_qwen38fn()));
  const Plan plan = planned(there, rules, to_qwen36(), "c2");
  CHECK(brief(plan) == std::vector<std::string>{
                           "take-card gpu1",                             //
                           "take-card gpu2",                             //
                           "retire-unit 120/llamacpp-qwen38fn.service",  //
                           "clear-autostart 120",                        //
                           "stop-container 120",                         //
                           "see-card-free gpu1",                         //
                           "see-card-free gpu2",                         //
                           "release-cards 120",                          //
                           "set-limits 120",                             //
                           "bind-cards 123",                             //
                           "set-limits 123",                             // the harmless one behind a raw edit
                           "give-card gpu1",                             //
                           "give-card gpu2",                             //
                           "start-container 120",                        //
                           "retire-unit 120/llamacpp-qwen38fn.service",  //
                           "start-container 123",              // it declares one unit: none to retire
                           "start-unit 120/llamacpp.service",  // both load at the same time
                           "start-unit 123/llamacpp-qwen38fn.service",   //
                           "see-serving 120/llamacpp.service",           //
                           "see-serving 123/llamacpp-qwen38fn.service",  //
                           "enable-unit 120/llamacpp.service",           //
                           "enable-unit 123/llamacpp-qwen38fn.service",  //
                           "restore-autostart 120",                      //
                           "restore-autostart 123",                      // given back, from the keepsake
                           "sweep host",                                 //
                       });
  CHECK(step_of(plan, StepKind::bind_cards, "123").lines == there.container(k123)->keepsake.lines.at(kGpu2));
  CHECK(step_of(plan, StepKind::set_limits, "123").settings.empty());
  CHECK(step_of(plan, StepKind::restore_autostart, "123").settings == Settings{{"onboot", "1"}});
  check_proven(there, rules, plan);

  const HostState end = walked(there, rules, plan);
  CHECK(end.container(k121)->settings == normal().container(k121)->settings);
  for (const Vmid vmid : {k120, k123}) {
    INFO(vmid.text());
    CHECK(end.container(vmid)->settings == normal().container(vmid)->settings);
    CHECK(end.container(vmid)->cards() == normal().container(vmid)->cards());
    CHECK(end.container(vmid)->autostart == normal().container(vmid)->autostart);
    CHECK_FALSE(end.container(vmid)->keepsake.onboot);
  }
  CHECK(end.container(k123)->keepsake == Keepsake{});
  CHECK(end.ledger == normal().ledger);
}

TEST_CASE("a target that holds gives an empty plan, and a proof of one state (design, section 6)") {
  const Policy rules = policy();
  CHECK(planned(normal(), rules, to_qwen36()).empty());
  CHECK(decide::differences(normal(), rules, to_qwen36()).empty());
  CHECK(planned(as_seen(reached(normal(), rules, to_qwen38fn())), rules, to_qwen38fn(), "c2").empty());
  const Proof proof = decide::prove(normal(), rules, planned(normal(), rules, to_qwen36()));
  CHECK(proof.holds());
  CHECK(proof.states == 1);
}

TEST_CASE("another unit in a container with the right cards needs no restart (design, section 6)") {
  const Policy rules = policy();
  Target target{"other-model", {{k120, running({kGpu1}, kQwen38)}}};
  const Plan plan = planned(normal(), rules, target);
  CHECK(brief(plan) == std::vector<std::string>{"retire-unit 120/llamacpp.service",
                                                "start-unit 120/llamacpp-qwen38fn.service",
                                                "see-serving 120/llamacpp-qwen38fn.service",
                                                "enable-unit 120/llamacpp-qwen38fn.service", "sweep host"});
  check_proven(normal(), rules, plan);
}

TEST_CASE("limits of a running container are set while it runs (pct.md 1.4)") {
  Want want;
  want.settings = {{"cores", "16"}, {"memory", "16384"}, {"swap", std::nullopt}};
  const Plan plan = planned(normal(), policy(), {"more", {{k120, want}}});
  CHECK(brief(plan) == std::vector<std::string>{"set-limits 120", "sweep host"});
  CHECK(plan.steps[0].settings == Settings{{"cores", "16"}, {"swap", std::nullopt}});
  CHECK(plan.steps[0].text == "120: cores 16 (was 8), swap taken out (was 4096)");
  check_proven(normal(), policy(), plan);
}

TEST_CASE("a unit that is enabled and does not serve yet is only waited for (two-v620 failure 8)") {
  HostState state = normal();
  state.cards[0].holders.clear();
  CHECK(brief(planned(state, policy(), to_qwen36())) ==
        std::vector<std::string>{"see-serving 120/llamacpp.service", "sweep host"});
  SECTION("a holder outside the unit does not serve for it (S04, S11)") {
    state.cards[0].holders = {server(k120, kQwen38, kGpu1)};
    CHECK_FALSE(decide::differences(state, policy(), to_qwen36()).empty());
  }
  SECTION("an idle holder does not serve (S12)") {
    state.cards[0].holders = {server(k120, kQwen36, kGpu1)};
    state.cards[0].holders[0].uses = Truth::no;
    CHECK_FALSE(decide::differences(state, policy(), to_qwen36()).empty());
    state.cards[0].holders[0].uses = Truth::unknown;
    CHECK_FALSE(decide::differences(state, policy(), to_qwen36()).empty());
  }
}

TEST_CASE("an active unit that would not come back after a boot is enabled, no more (U12)") {
  HostState state = normal();
  state.container(k120)->units[0].file = UnitFileState::enabled_runtime;
  CHECK(brief(planned(state, policy(), to_qwen36())) ==
        std::vector<std::string>{"enable-unit 120/llamacpp.service", "sweep host"});
}

TEST_CASE("an outgoing unit that something else would start again is retired too (U01, U02, U06, U07)") {
  HostState state = normal();
  Unit& other = state.container(k120)->units[1];
  SECTION("its socket listens") {
    other.started_by = {"foo.socket"};
  }
  SECTION("it is between two restarts") {
    other.active = ActiveState::activating;
  }
  SECTION("its mask vanishes at the boot") {
    other.file = UnitFileState::masked_runtime;
  }
  SECTION("its state is a word that nobody knows") {
    other.active = ActiveState::unknown;
  }
  CHECK(brief(planned(state, policy(), to_qwen36())) ==
        std::vector<std::string>{"retire-unit 120/llamacpp-qwen38fn.service", "sweep host"});
}

TEST_CASE("a unit that does not exist there counts as retired (U03)") {
  HostState state = normal();
  Unit& other = state.container(k120)->units[1];
  other.load = LoadState::not_found;
  other.file = UnitFileState::none;
  CHECK(planned(state, policy(), to_qwen36()).empty());
}

TEST_CASE(
    "a container that is stopped for good loses its autostart even when it stands already (two-v620 failure "
    "3)") {
  HostState state = as_seen(reached(normal(), policy(), to_qwen38fn()));
  state.container(k123)->settings["onboot"] = "1";
  state.container(k123)->autostart.onboot = true;
  const Plan plan = planned(state, policy(), to_qwen38fn(), "c2");
  CHECK(brief(plan) == std::vector<std::string>{"clear-autostart 123", "sweep host"});
  CHECK(plan.steps[0].settings == Settings{{"onboot", "0"}});
}

TEST_CASE("an autostart that the target names is what the container gets (design, section 3)") {
  Target target = to_qwen38fn();
  SECTION("off, for one that runs on") {
    target.wants[k120].settings["onboot"] = "0";
    const Plan plan = planned(normal(), policy(), target);
    CHECK(has_step(plan, StepKind::clear_autostart, "120"));
    CHECK_FALSE(has_step(plan, StepKind::restore_autostart, "120"));
    check_proven(normal(), policy(), plan);
  }
  SECTION("on, for one that stands without a card") {
    target.wants[k123].settings["onboot"] = "1";
    const Plan plan = planned(normal(), policy(), target);
    CHECK(has_step(plan, StepKind::clear_autostart, "123"));
    CHECK(has_step(plan, StepKind::restore_autostart, "123"));
    check_proven(normal(), policy(), plan);
  }
  SECTION("off where the key is not there is off already") {
    HostState state = normal();
    state.container(k120)->settings.erase("onboot");
    state.container(k120)->autostart.onboot = false;
    target = to_qwen36();
    target.wants[k120].settings["onboot"] = "0";
    CHECK(planned(state, policy(), target).empty());
  }
}

TEST_CASE("an autostart that was not set is absent again after a restart, not 0 (I5)") {
  HostState state = normal();
  state.container(k120)->settings.erase("onboot");
  state.container(k120)->autostart.onboot = false;
  const Plan plan = planned(state, policy(), to_qwen38fn());
  CHECK_FALSE(has_step(plan, StepKind::clear_autostart, "120"));
  CHECK_FALSE(has_step(plan, StepKind::restore_autostart, "120"));
  CHECK_FALSE(walked(state, policy(), plan).container(k120)->settings.contains("onboot"));
}

TEST_CASE("a restarted container without a word about its units gets back what it had (design, section 3)") {
  Target target = to_qwen38fn();
  target.wants[k120].serve.reset();
  const Plan plan = planned(normal(), policy(), target);
  CHECK(has_step(plan, StepKind::start_unit, "120/llamacpp.service"));
  CHECK_FALSE(has_step(plan, StepKind::see_serving, "120/llamacpp.service"));
  CHECK(plan.target.wants.at(k120).serve == kQwen36);
  check_proven(normal(), policy(), plan);
}

TEST_CASE(
    "keep-binding leaves the card in the stopped container, and its autostart off (design, section 3)") {
  Target target = to_qwen38fn();
  target.wants[k123].keep_binding = true;
  const Plan plan = planned(normal(), policy(), target);
  CHECK_FALSE(has_step(plan, StepKind::release_cards, "123"));
  CHECK(has_step(plan, StepKind::clear_autostart, "123"));
  check_proven(normal(), policy(), plan);
  const HostState end = walked(normal(), policy(), plan);
  CHECK(end.container(k123)->binds(kGpu2));
  CHECK(end.ledger->at(kGpu2) == Owner::of(k120));
  SECTION("and it is taken back from there") {
    const HostState again = reached(as_seen(end), policy(), to_qwen36(), "c2");
    CHECK(again.container(k123)->settings.at("onboot") == "1");
  }
  SECTION("with autostart on it is refused: two would have the card at the next boot") {
    target.wants[k123].settings["onboot"] = "1";
    CHECK(refusal(normal(), policy(), target) == "gpu2 would be with more than one: 120 and 123");
  }
}

TEST_CASE("a card that nobody wants any more is nobody's in the ledger") {
  Target target{"empty-123", {{k123, stopped()}}};
  const Plan plan = planned(normal(), policy(), target);
  CHECK(step_of(plan, StepKind::give_card, "gpu2").owner == Owner::nobody());
  CHECK_FALSE(step_of(plan, StepKind::give_card, "gpu2").container);
  const HostState end = reached(normal(), policy(), target);
  CHECK(end.ledger->at(kGpu2) == Owner::nobody());
}

TEST_CASE("a shared card is neither taken in the ledger nor waited for (I1)") {
  Policy rules = policy();
  rules.cards[1].shared = true;
  HostState state = normal();
  state.ledger->erase(kGpu2);
  Target target{"share", {{k120, running({kGpu1, kGpu2}, kQwen38)}}};
  const Plan plan = planned(state, rules, target);
  CHECK(has_step(plan, StepKind::take_card, "gpu1"));
  CHECK_FALSE(has_step(plan, StepKind::take_card, "gpu2"));
  CHECK_FALSE(has_step(plan, StepKind::see_card_free, "gpu2"));
  CHECK_FALSE(has_step(plan, StepKind::give_card, "gpu2"));
  CHECK(step_of(plan, StepKind::bind_cards, "120").cards == std::vector<PciAddress>{kGpu2});
  check_proven(state, rules, plan);
}

TEST_CASE("steps name cards as the policy does, and containers by VMID (design, section 7)") {
  const Plan plan = planned(normal(), policy(), to_qwen38fn());
  std::vector<std::string> texts;
  for (const Step& step : plan.steps) texts.push_back(step.text);
  CHECK(texts[1] == "gpu2: the ledger takes it from container 123, so that no container can start with it");
  CHECK(texts[9] == "123: take gpu2 out of its configuration");
  CHECK(texts[11] == "120: cores 48 (was 8), memory 163840 (was 16384), swap 0 (was 4096)");
  CHECK(texts[17] == "120: see llamacpp-qwen38fn.service serve with gpu1 and gpu2");
  CHECK(texts[20] == "look once more at everything that to-qwen38fn says");
}

TEST_CASE("differences() says what is missing, in sentences") {
  const auto found =
      decide::differences(normal(), policy(), decide::resolved(normal(), policy(), to_qwen38fn()));
  CHECK(all(found) ==
        "container 120 lacks gpu2, or a line of it\n"
        "cores of container 120 is \"8\", not \"48\"\n"
        "memory of container 120 is \"16384\", not \"163840\"\n"
        "swap of container 120 is \"4096\", not \"0\"\n"
        "llamacpp.service of container 120 is not seen disabled and inactive\n"
        "container 123 is running, not stopped\n"
        "gpu2 is still in the configuration of container 123\n"
        "onboot of container 123 is \"1\", not \"0\"\n"
        "the ledger gives gpu2 to 123, not to container 120\n");
}
