// The lines that are written for a card: as they were, or new ones in the policy's style (design, section 3).
#include "decide/plan_lines.h"
#include "planning.h"

using namespace interlock;
using namespace interlock::two_v620;
using namespace interlock::planning;

namespace {

using Lines = std::vector<std::string>;

Lines bound(const HostState& state, const Policy& rules, const Target& target, const std::string& vmid) {
  return step_of(planned(state, rules, target), StepKind::bind_cards, vmid).lines;
}

Policy with_devices() {
  Policy rules = policy();
  rules.containers.at(k120).bind = BindStyle::device;
  return rules;
}

/// 123 stopped without a card; what it had is in the keepsake.
HostState emptied(const Lines& kept) {
  HostState state = as_seen(walked(normal(), policy(), planned(normal(), policy(), to_qwen38fn())));
  Container& container = *state.container(k123);
  container.keepsake.lines = {{kGpu2, kept}};
  return state;
}

Binding folder() {
  Binding made;
  made.line = "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir";
  made.source = "/dev/dri";
  made.cards = {kGpu1, kGpu2};
  made.every_card = true;
  return made;
}

}  // namespace

TEST_CASE("a new mount entry names the card by its path, and the node as the host names it (two-v620)") {
  CHECK(bound(normal(), policy(), to_qwen38fn(), "120") ==
        Lines{"lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-render dev/dri/renderD128 none "
              "bind,optional,create=file",
              "lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-card dev/dri/card2 none "
              "bind,optional,create=file"});
}

TEST_CASE("a new device entry takes the first numbers that are free (pct.md, devN)") {
  HostState state = normal();
  SECTION("none is taken") {
    CHECK(bound(state, with_devices(), to_qwen38fn(), "120") ==
          Lines{"dev0: /dev/dri/renderD128", "dev1: /dev/dri/card2"});
  }
  SECTION("in the configuration and among what is pending") {
    state.container(k120)->settings["dev0"] = "/dev/kfd";
    state.container(k120)->pending = {"dev2"};
    const Plan plan = planned(state, with_devices(), to_qwen38fn());
    CHECK(step_of(plan, StepKind::bind_cards, "120").lines ==
          Lines{"dev1: /dev/dri/renderD128", "dev3: /dev/dri/card2"});
    check_proven(state, with_devices(), plan);
  }
  SECTION("and needs no harmless pct set behind it, since it is one") {
    Target target = to_qwen38fn();
    for (const char* key : {"cores", "memory", "swap"}) target.wants.at(k120).settings.erase(key);
    const Plan plan = planned(state, with_devices(), target);
    CHECK_FALSE(has_step(plan, StepKind::set_limits, "120"));
    CHECK(has_step(planned(state, policy(), target), StepKind::set_limits, "120"));
  }
}

TEST_CASE("a card without nodes cannot be written anew, and the plan says so (S08)") {
  HostState state = normal();
  state.cards[1].nodes.clear();
  CHECK(refusal(state, policy(), to_qwen38fn()) ==
        "gpu2 has no render node, so it cannot be written into the configuration of container 120");
}

TEST_CASE("lines that were taken away come back as they were (I5)") {
  const Lines own = {"dev4: /dev/dri/renderD128,gid=104,mode=0666"};
  CHECK(bound(emptied(own), policy(), to_qwen36(), "123") == own);
  SECTION("under another number when theirs is taken") {
    HostState state = emptied(own);
    state.container(k123)->settings["dev4"] = "/dev/kfd";
    CHECK(bound(state, policy(), to_qwen36(), "123") == Lines{"dev0: /dev/dri/renderD128,gid=104,mode=0666"});
  }
  SECTION("a link of the owner's own making too") {
    const Lines link = {"lxc.mount.entry: /dev/gpu-upper dev/dri/renderD128 none bind 0 0"};
    CHECK(bound(emptied(link), policy(), to_qwen36(), "123") == link);
  }
}

TEST_CASE("a node's number that is another card's since this boot is not written (S07)") {
  HostState state =
      emptied({"dev0: /dev/dri/renderD128,gid=104",
               "lxc.mount.entry: /dev/dri/card2 dev/dri/card2 none bind,optional,create=file",
               "lxc.mount.entry: /dev/dri/card21 dev/dri/card21 none bind,optional,create=file"});
  state.cards[0].nodes = {"card2", "renderD128"};
  state.cards[1].nodes = {"card1", "renderD129"};
  const Plan plan = planned(state, policy(), to_qwen36());
  CHECK(step_of(plan, StepKind::bind_cards, "123").lines ==
        Lines{"dev0: /dev/dri/renderD129,gid=104",
              "lxc.mount.entry: /dev/dri/card1 dev/dri/card1 none bind,optional,create=file"});
  check_proven(state, policy(), plan);
}

TEST_CASE("a line in our own form gives the node the name that the host gives it today (two-v620: RADV)") {
  HostState state = emptied({entry(kGpu2, "render", "renderD128"), entry(kGpu2, "card", "card2")});
  state.cards[1].nodes = {"card0", "renderD130"};
  CHECK(bound(state, policy(), to_qwen36(), "123") ==
        Lines{entry(kGpu2, "render", "renderD130"), entry(kGpu2, "card", "card0")});
  SECTION("and stays as it is where it was never taken away (I5)") {
    HostState running = normal();
    const Target back = decide::way_back(running, policy(), to_qwen36());
    running.cards[1].nodes = {"card0", "renderD130"};
    CHECK(decide::differences(running, policy(), back).empty());
  }
}

TEST_CASE("a line that a way back wrote between two boots makes room for the one that was found (I5)") {
  HostState state = normal();
  const Target back = decide::way_back(state, policy(), to_qwen36());
  Container& container = *state.container(k123);
  container.bindings[0] = binding(kGpu2, entry(kGpu2, "render", "renderD129"));
  container.bindings[1] = binding(kGpu2, entry(kGpu2, "card", "card1"));
  CHECK(decide::differences(state, policy(), back) == Lines{"container 123 lacks gpu2, or a line of it"});
  const Plan plan = planned(state, policy(), back);
  CHECK(step_of(plan, StepKind::release_cards, "123").lines ==
        Lines{entry(kGpu2, "render", "renderD129"), entry(kGpu2, "card", "card1")});
  CHECK(step_of(plan, StepKind::bind_cards, "123").lines ==
        Lines{entry(kGpu2, "render", "renderD128"), entry(kGpu2, "card", "card2")});
  check_proven(state, policy(), plan);
  const HostState end = walked(state, policy(), plan);
  CHECK(end.container(k123)->bindings.size() == normal().container(k123)->bindings.size());
  CHECK(decide::differences(end, policy(), back).empty());
}

TEST_CASE("a line that names another card's path is not this card's") {
  CHECK(bound(emptied({entry(kGpu1, "render", "renderD129")}), policy(), to_qwen36(), "123") ==
        Lines{entry(kGpu2, "render", "renderD128"), entry(kGpu2, "card", "card2")});
}

TEST_CASE("a folder gives every card: it goes whole, and what is to stay is written by itself (B06)") {
  HostState state = normal();
  Container& container = *state.container(k123);
  container.bindings = {folder()};
  state.container(k120)->bindings.clear();
  state.container(k120)->running = RunState::stopped;
  state.container(k120)->autostart = {};
  state.ledger = Ledger{};
  state.cards[0].holders.clear();
  const Plan plan = planned(state, policy(), {"keep-one", {{k123, running({kGpu2}, kQwen38)}}});
  CHECK(step_of(plan, StepKind::release_cards, "123").cards == std::vector<PciAddress>{kGpu1});
  CHECK(step_of(plan, StepKind::release_cards, "123").lines == Lines{folder().line});
  CHECK(step_of(plan, StepKind::bind_cards, "123").cards == std::vector<PciAddress>{kGpu2});
  CHECK(step_of(plan, StepKind::bind_cards, "123").lines ==
        Lines{entry(kGpu2, "render", "renderD128"), entry(kGpu2, "card", "card2")});
  check_proven(state, policy(), plan);

  SECTION("it comes back as a folder only for one that has every card") {
    const HostState after = as_seen(walked(state, policy(), plan));
    const Target back = decide::way_back(state, policy(), plan.target);
    CHECK(bound(after, policy(), back, "123") == Lines{folder().line});
    CHECK(bound(emptied({folder().line}), policy(), to_qwen36(), "123") ==
          Lines{entry(kGpu2, "render", "renderD128"), entry(kGpu2, "card", "card2")});
  }
  SECTION("a card that is granted three ways is released three times") {
    container.bindings = {binding(kGpu2, "dev0: /dev/dri/renderD128"), folder(),
                          binding(kGpu2, entry(kGpu2, "card", "card2"))};
    const Plan gone = planned(state, policy(), {"none", {{k123, stopped()}}});
    CHECK(step_of(gone, StepKind::release_cards, "123").lines.size() == 3);
    CHECK(walked(state, policy(), gone).container(k123)->cards().empty());
  }
}

TEST_CASE("a pending device counts: it is released too (B16)") {
  HostState state = as_seen(walked(normal(), policy(), planned(normal(), policy(), to_qwen38fn())));
  Binding pending = binding(kGpu2, "dev0: /dev/dri/renderD128");
  pending.when = Binding::When::next_start;
  state.container(k123)->bindings.push_back(pending);
  // 120 runs with gpu2 and goes on doing so: nothing moves.
  const Plan plan = planned(state, policy(), to_qwen38fn());
  CHECK(brief(plan) == std::vector<std::string>{"release-cards 123", "sweep host"});
  check_proven(state, policy(), plan);
}

TEST_CASE("key_line() reads as Proxmox does (pct.md 2)") {
  CHECK(decide::key_line("dev0: /dev/dri/renderD128").key == "dev0");
  CHECK(decide::key_line("lxc.mount.entry = /dev/dri  x ").value == "/dev/dri  x");
  CHECK(decide::is_numbered("dev12"));
  CHECK_FALSE(decide::is_numbered("lxc.net.0"));
  CHECK_FALSE(decide::is_numbered("memory"));
}
