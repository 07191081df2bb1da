#include "decide/invariants.h"
#include "planning.h"

using namespace interlock;
using namespace interlock::two_v620;
using namespace interlock::planning;
using decide::after_boot;
using decide::boot_breaches;
using decide::breaches;

namespace {

std::string rules_broken(const std::vector<decide::Breach>& found) {
  std::string text;
  for (const decide::Breach& breach : found) {
    text += breach.invariant;
    for (const Vmid vmid : breach.containers) text += " " + vmid.text();
    text += "\n";
  }
  return text;
}

/// Of the state as it is, and twice of its next boot: by the state that it would be, and without making it.
std::string now(const HostState& state, const Policy& rules = policy()) {
  return rules_broken(breaches(state, rules));
}
std::string boot(const HostState& state, const Policy& rules = policy()) {
  CHECK(rules_broken(breaches(after_boot(state), rules)) == rules_broken(boot_breaches(state, rules)));
  return rules_broken(boot_breaches(state, rules));
}

/// gpu2, which 123 has, is bound by 120 as well.
HostState both_bind() {
  HostState state = normal();
  state.container(k120)->bindings.push_back(binding(kGpu2, entry(kGpu2, "render", "renderD128")));
  return state;
}

}  // namespace

TEST_CASE("the host as it normally works breaks nothing, nor does its boot (two-v620)") {
  CHECK(now(normal()).empty());
  CHECK(boot(normal()).empty());
  CHECK(decide::cannot_tell(normal(), policy()).empty());
}

TEST_CASE("I1: two that run with one card") {
  CHECK(now(both_bind()) == "I1 120 123\n");
  CHECK(boot(both_bind()) == "I1 120 123\n");
  CHECK(breaches(both_bind(), policy()).front().card == kGpu2);
  CHECK(breaches(both_bind(), policy()).front().message ==
        "gpu2 can be held by more than one: 120 (runs), 123 (runs)");
}

TEST_CASE("I1: stopped counts when it would start without us (two-v620 failure 3; pct.md 5)") {
  HostState state = both_bind();
  Container& other = *state.container(k123);
  other.running = RunState::stopped;
  SECTION("onboot") {
    CHECK(now(state) == "I1 120 123\n");
  }
  SECTION("lxc.start.auto, whatever onboot says (B20)") {
    other.autostart = {false, true, {}};
    CHECK(now(state) == "I1 120 123\n");
    CHECK(boot(state) == "I1 120 123\n");
  }
  SECTION("HA") {
    other.autostart = {false, false, "started"};
    CHECK(now(state) == "I1 120 123\n");
    CHECK(boot(state) == "I1 120 123\n");
  }
  SECTION("nothing starts it") {
    other.autostart = {false, false, "stopped"};
    CHECK(now(state).empty());
    CHECK(boot(state).empty());
  }
  SECTION("nobody knows whether it runs: it may") {
    other.autostart = {};
    other.running = RunState::unknown;
    CHECK(now(state) == "I1 120 123\n");
    CHECK(boot(state).empty());
  }
  SECTION("a lock is no reason: others lift it") {
    other.lock = "snapshot";
    CHECK(now(state) == "I1 120 123\n");
    CHECK(boot(state) == "I1 120 123\n");
  }
  SECTION("a template never runs") {
    other.is_template = true;
    CHECK(now(state).empty());
    CHECK(boot(state).empty());
  }
}

TEST_CASE("I1: lxc.start.auto starts from the generated configuration, stale as it may be (pct.md 2, 5.9)") {
  HostState state = normal();
  Container& other = *state.container(k121);
  other.running = RunState::stopped;
  other.autostart = {false, true, {}};
  other.generated_cards = {kGpu1};
  CHECK(now(state) == "I1 120 121\n");
  CHECK(boot(state) == "I1 120 121\n");
}

TEST_CASE(
    "I1: a container that runs has what it was started with, though its line was taken out by hand (pct.md "
    "2)") {
  HostState state = normal();
  Container& other = *state.container(k121);
  other.generated_cards = {kGpu1};
  SECTION("it runs") {
    CHECK(now(state) == "I1 120 121\n");
  }
  SECTION("it may run") {
    other.running = RunState::unknown;
    CHECK(now(state) == "I1 120 121\n");
  }
  SECTION("it stands: Proxmox generates it anew before a start") {
    other.running = RunState::stopped;
    CHECK(now(state).empty());
  }
  CHECK(boot(state).empty());
}

TEST_CASE(
    "I1: a pending binding comes with the next start, one pending its removal stays until then (B15, B16)") {
  HostState state = both_bind();
  Binding& second = state.container(k120)->bindings.back();
  SECTION("pending") {
    second.when = Binding::When::next_start;
    CHECK(now(state) == "I1 120 123\n");
    CHECK(boot(state) == "I1 120 123\n");
  }
  SECTION("its removal is pending") {
    second.live_after_removal = true;
    CHECK(now(state) == "I1 120 123\n");
    CHECK(boot(state).empty());
  }
  SECTION("in a snapshot, it is latent (B01)") {
    second.when = Binding::When::latent;
    CHECK(now(state).empty());
  }
}

TEST_CASE("I1: a card may be shared only where the policy says so") {
  Policy rules = policy();
  rules.cards[1].shared = true;
  CHECK(now(both_bind(), rules).empty());
}

TEST_CASE("I1: a virtual machine with the card counts (11.11)") {
  HostState state = normal();
  state.vms[kGpu1] = {"VM 200"};
  CHECK(now(state) == "I1 120\n");
  CHECK(breaches(state, policy()).front().message == "gpu1 can be held by more than one: 120 (runs), VM 200");
}

TEST_CASE("I1: containers that the policy does not name count") {
  HostState state = normal();
  state.container(k121)->bindings = {binding(kGpu1, "dev0: /dev/dri/renderD129")};
  CHECK(now(state) == "I1 120 121\n");
}

TEST_CASE("I2: at most one unit is enabled or active (two-v620 failure 6)") {
  HostState state = normal();
  Unit& second = state.container(k120)->units[1];
  SECTION("enabled") {
    second.file = UnitFileState::enabled;
  }
  SECTION("active") {
    second.active = ActiveState::active;
  }
  SECTION("starting, or between restarts (U01, U02)") {
    second.active = ActiveState::activating;
  }
  SECTION("its mask vanishes at the boot (U06)") {
    second.file = UnitFileState::masked_runtime;
  }
  SECTION("its socket would start it (U07)") {
    second.started_by = {"x.socket"};
  }
  SECTION("in a container that stands, what is known of it still counts") {
    second.file = UnitFileState::enabled;
    state.container(k120)->running = RunState::stopped;
  }
  CHECK(now(state) == "I2 120\n");
}

TEST_CASE("I2: the breach names the units that stand in each other's way") {
  HostState state = normal();
  state.container(k120)->units[1].active = ActiveState::active;
  CHECK(breaches(state, policy()).front().message ==
        "container 120 has more than one of its units enabled or active: llamacpp.service, "
        "llamacpp-qwen38fn.service");
}

TEST_CASE("I2: what ran and is not enabled is gone after the boot") {
  HostState state = normal();
  state.container(k120)->units[1].active = ActiveState::active;
  CHECK(now(state) == "I2 120\n");
  CHECK(boot(state).empty());
}

TEST_CASE("I2: unknown is no breach and no proof: it cannot be told") {
  HostState state = normal();
  Container& container = *state.container(k120);
  SECTION("a unit's answer is not understood") {
    container.units[1].file = UnitFileState::unknown;
  }
  SECTION("a unit has not answered") {
    container.units.pop_back();
  }
  CHECK(now(state).empty());
  CHECK(boot(state).empty());
  REQUIRE(decide::cannot_tell(state, policy()).size() == 1);
  CHECK(decide::cannot_tell(state, policy()).front() ==
        "whether at most one unit of container 120 is enabled or active: nothing is known of "
        "llamacpp-qwen38fn.service");
  Policy rules = policy();
  rules.containers.at(k120).units.pop_back();
  CHECK(decide::cannot_tell(state, rules).empty());  // with one unit there is nothing to tell
}

TEST_CASE("I2: a stopped container that starts by itself cannot be asked; one that stays down need not be") {
  HostState state = as_seen(normal());
  Container& container = *state.container(k120);
  container.running = RunState::stopped;
  container.units.clear();
  REQUIRE(decide::cannot_tell(state, policy()).size() == 1);
  CHECK(decide::cannot_tell(state, policy())
            .front()
            .starts_with("whether at most one unit of container 120 is enabled or active, which is stopped "
                         "and starts by itself:"));
  container.autostart = {};
  CHECK(decide::cannot_tell(state, policy()).empty());
}

TEST_CASE("a boot: who has autostart runs, with what is pending applied and its enabled units; nobody else") {
  HostState state = normal();
  Container& first = *state.container(k120);
  first.running = RunState::stopped;
  first.units[0].active = ActiveState::inactive;
  first.units_error = "no answer within 30 s";
  first.bindings[0].when = Binding::When::next_start;
  first.bindings[1].live_after_removal = true;
  state.container(k123)->autostart = {};
  state.workers = {"vzstop 120"};
  const HostState booted = after_boot(state);
  const Container& up = *booted.container(k120);
  CHECK(up.running == RunState::running);
  CHECK(up.units_answer == UnitsAnswer::answered);
  CHECK(up.units_error.empty());
  CHECK(up.units[0].active == ActiveState::active);
  CHECK(up.units[1].active == ActiveState::inactive);
  REQUIRE(up.bindings.size() == 1);
  CHECK(up.bindings[0].when == Binding::When::now);
  CHECK(booted.container(k123)->running == RunState::stopped);
  CHECK(booted.container(k123)->units_answer == UnitsAnswer::not_running);
  CHECK(booted.cards[0].holders.empty());
  CHECK(booted.workers.empty());
}

TEST_CASE("a boot: of the locks only backup and mounted let a container start (pct.md 5)") {
  HostState state = normal();
  const auto runs = [&](const std::string& lock) {
    state.container(k120)->lock = lock;
    return after_boot(state).container(k120)->running == RunState::running;
  };
  CHECK(runs(""));
  CHECK(runs("backup"));
  CHECK(runs("mounted"));
  CHECK_FALSE(runs("snapshot"));
  CHECK_FALSE(runs("disk"));
  state.container(k120)->autostart.ha_state = "started";
  CHECK(runs("snapshot"));
}

TEST_CASE("a boot: a container with unknown units runs, and each of them is unknown") {
  HostState state = normal();
  state.container(k120)->running = RunState::stopped;
  state.container(k120)->units.clear();
  const HostState booted = after_boot(state);
  CHECK(booted.container(k120)->running == RunState::running);
  CHECK(booted.container(k120)->units.empty());
  CHECK(decide::cannot_tell(booted, policy()).size() == 1);
}
