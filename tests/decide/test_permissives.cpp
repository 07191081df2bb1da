#include "decide/permissives.h"
#include "planning.h"

using namespace interlock;
using namespace interlock::two_v620;
using namespace interlock::planning;

namespace {

/// "code subject", in the order reported.
std::vector<std::string> codes(const HostState& state, const Target& target = to_qwen38fn(),
                               const decide::Allowed& allowed = {}, const Policy& rules = policy()) {
  std::vector<std::string> found;
  for (const Unmet& unmet : decide::unmet(state, rules, target, allowed)) {
    found.push_back(unmet.code + " " + unmet.subject);
    INFO(unmet.code);
    CHECK_FALSE(unmet.message.empty());
    CHECK_FALSE(unmet.remedy.empty());
  }
  return found;
}

std::string message(const HostState& state, const Target& target = to_qwen38fn()) {
  const auto found = decide::unmet(state, policy(), target, {});
  return found.empty() ? "" : found.front().message;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("on a host in order nothing stands in the way, there and back (two-v620)") {
  CHECK(codes(normal()).empty());
  CHECK(codes(normal(), to_qwen36()).empty());
}

TEST_CASE("Proxmox must be able to take a change: unknown is not fine (design, section 6)") {
  HostState state = normal();
  SECTION("not mounted") {
    state.pve_mounted = Truth::no;
    CHECK(codes(state) == Codes{"pve-mounted host"});
    state.pve_mounted = Truth::unknown;
    CHECK(codes(state) == Codes{"pve-mounted host"});
    CHECK(message(state) == "whether /etc/pve is mounted cannot be told");
  }
  SECTION("no quorum") {
    state.quorate = Truth::no;
    CHECK(codes(state) == Codes{"quorum host"});
    state.quorate = Truth::unknown;
    CHECK(codes(state) == Codes{"quorum host"});
    CHECK(message(state) == "whether this node has quorum cannot be told");
  }
  SECTION("a backup runs") {
    state.backup_running = Truth::yes;
    CHECK(codes(state) == Codes{"backup-running host"});
    state.backup_running = Truth::unknown;
    CHECK(codes(state) == Codes{"backup-running host"});
  }
  SECTION("a worker of an earlier run is still at it (pct.md 1.0)") {
    state.workers = {"task UPID:pve:0000:0000:0000:vzstart:120:root@pam:"};
    CHECK(codes(state) == Codes{"worker-running host"});
  }
}

TEST_CASE("all failures are reported together (design, section 6)") {
  HostState state = normal();
  state.quorate = Truth::no;
  state.backup_running = Truth::yes;
  state.container(k120)->lock = "snapshot";
  state.cards[1].present = false;
  CHECK(codes(state) ==
        Codes{"quorum host", "backup-running host", "container-locked 120", "card-absent gpu2"});
}

TEST_CASE("an open cutover is finished first, and names recover") {
  HostState state = normal();
  state.cutover = OpenCutover{"c0", "to-qwen36", "interrupted", false};
  CHECK(codes(state) == Codes{"cutover-open to-qwen36"});
  CHECK(decide::unmet(state, policy(), to_qwen38fn(), {}).front().remedy == "gpu-interlock recover");
  CHECK(codes(state, to_qwen38fn(), {.without_guard = false, .open_cutover = true}).empty());
}

TEST_CASE("a ledger that cannot be read forbids every cutover (design, section 6)") {
  HostState state = normal();
  state.ledger.reset();
  state.ledger_error = "its checksum is wrong";
  CHECK(codes(state) == Codes{"ledger-unreadable host"});
}

TEST_CASE("the guard must be alive and on time, unless somebody says otherwise aloud (I3)") {
  HostState state = normal();
  SECTION("it does not run") {
    state.guard.running = Truth::no;
    CHECK(codes(state) == Codes{"guard-not-running gpu-interlockd"});
  }
  SECTION("nobody knows") {
    state.guard.running = Truth::unknown;
    CHECK(codes(state) == Codes{"guard-not-running gpu-interlockd"});
  }
  SECTION("it is late") {
    state.guard.fresh = false;
    CHECK(codes(state) == Codes{"guard-stale gpu-interlockd"});
  }
  CHECK(codes(state, to_qwen38fn(), {.without_guard = true, .open_cutover = false}).empty());
}

TEST_CASE("no cutover begins on a broken invariant, whoever broke it (design, section 6)") {
  HostState state = normal();
  SECTION("now, among containers that the target does not name") {
    state.container(k121)->bindings = {binding(kGpu1, "dev0: /dev/dri/renderD129")};
    CHECK(codes(state) == Codes{"invariant-broken gpu1"});
    CHECK(message(state) ==
          "I1 is broken already: gpu1 can be held by more than one: 120 (runs), 121 (runs)");
  }
  SECTION("two units") {
    state.container(k120)->units[1].file = UnitFileState::enabled;
    CHECK(codes(state) == Codes{"invariant-broken 120"});
  }
}

TEST_CASE("every container must be there, and nobody else's (design, section 6)") {
  HostState state = normal();
  Container& container = *state.container(k120);
  SECTION("missing") {
    std::erase_if(state.containers, [](const Container& each) { return each.vmid == k123; });
    CHECK(codes(state) == Codes{"container-missing 123", "holder-foreign gpu2"});  // its server goes on
    state.cards[1].holders.clear();
    CHECK(codes(state) == Codes{"container-missing 123"});
  }
  SECTION("a template") {
    container.is_template = true;
    CHECK(codes(state) == Codes{"container-template 120"});
  }
  SECTION("locked, by whatever lock") {
    container.lock = "backup";
    CHECK(codes(state) == Codes{"container-locked 120"});
  }
  SECTION("with HA, even in the state stopped") {
    container.autostart.ha_state = "stopped";
    CHECK(codes(state) == Codes{"container-ha-managed 120"});
  }
  SECTION("whether it runs cannot be told") {
    container.running = RunState::unknown;
    CHECK(codes(state) == Codes{"container-state-unknown 120"});
  }
  SECTION("a card that is pending (B16)") {
    container.bindings[0].when = Binding::When::next_start;
    CHECK(codes(state) == Codes{"container-pending-binding 120"});
  }
  SECTION("a card whose removal is pending (B15)") {
    container.bindings[0].live_after_removal = true;
    CHECK(codes(state) == Codes{"container-pending-binding 120"});
  }
  SECTION("but not a container that is not named") {
    state.container(k121)->lock = "backup";
    CHECK(codes(state).empty());
  }
}

TEST_CASE(
    "a running container of the target must say what its units do (absence of an answer is not an answer)") {
  HostState state = normal();
  Container& container = *state.container(k123);
  container.units_answer = UnitsAnswer::unanswered;
  container.units_error = "no answer within 30 s";
  container.units.clear();
  CHECK(codes(state) == Codes{"units-unanswered 123"});
  SECTION("one that is stopped on purpose is another matter (two-v620 failure 7)") {
    container.running = RunState::stopped;
    container.units_answer = UnitsAnswer::not_running;
    state.cards[1].holders.clear();
    CHECK(codes(state).empty());
  }
}

TEST_CASE("a unit that is to serve and does not exist is a mistake in the policy (U03)") {
  HostState state = normal();
  Unit& unit = state.container(k120)->units[1];
  unit.load = LoadState::not_found;
  unit.file = UnitFileState::none;
  CHECK(codes(state) == Codes{"unit-missing 120/llamacpp-qwen38fn.service"});
  CHECK(codes(state, to_qwen36()).empty());
  SECTION("masked, it could not be started either") {
    unit.load = LoadState::masked;
    unit.file = UnitFileState::masked;
    CHECK(codes(state) == Codes{"unit-missing 120/llamacpp-qwen38fn.service"});
  }
}

TEST_CASE("a container that is to stay down must not come back by itself (pct.md 5)") {
  HostState state = normal();
  SECTION("lxc.start.auto (B20)") {
    state.container(k123)->autostart.lxc_start_auto = true;
    CHECK(codes(state) == Codes{"container-starts-itself 123"});
    CHECK(codes(state, to_qwen36()).empty());
  }
  SECTION("a backup in stop mode, where it keeps its card") {
    state.container(k123)->stop_backups = {"backup-1"};
    CHECK(codes(state).empty());
    Target target = to_qwen38fn();
    target.wants[k123].keep_binding = true;
    CHECK(codes(state, target) == Codes{"backup-stop-mode 123"});
  }
}

TEST_CASE("every card that is to be used must be there, the right one, and ours") {
  HostState state = normal();
  SECTION("absent") {
    state.cards[0].present = false;
    CHECK(codes(state) == Codes{"card-absent gpu1"});
  }
  SECTION("not looked at") {
    state.cards.pop_back();
    CHECK(codes(state) == Codes{"card-absent gpu2"});
  }
  SECTION("another card in its slot") {
    state.cards[0].replaced = true;
    CHECK(codes(state) == Codes{"card-replaced gpu1"});
  }
  SECTION("with another driver (11.11)") {
    state.cards[0].driver = "vfio-pci";
    CHECK(codes(state) == Codes{"card-lent gpu1"});
  }
  SECTION("with a virtual machine, which is one holder too many as well") {
    state.vms[kGpu1] = {"VM 200"};
    CHECK(codes(state) == Codes{"invariant-broken gpu1", "card-bound-by-vm gpu1"});
  }
  SECTION("latched") {
    state.latches[kGpu1] = {TripReason::over_temperature, "junction 103.0 C", "2026-11-30T02:14:07Z", false};
    CHECK(codes(state) == Codes{"card-latched gpu1"});
    CHECK(message(state) == "gpu1 is latched after a trip: junction 103.0 C");
  }
  SECTION("with a latch file that nobody understands") {
    state.latches[kGpu1].damaged = true;
    CHECK(codes(state) == Codes{"card-latched gpu1"});
  }
  SECTION("tripped this moment") {
    state.guard.states.at(*CardId::parse("gpu1")) = GuardState::tripped;
    CHECK(codes(state) == Codes{"card-latched gpu1"});
  }
}

TEST_CASE("a card that only leaves a container may be broken: that is why one takes it out") {
  HostState state = normal();
  state.cards[1].present = false;
  CHECK(codes(state, {"off", {{k123, stopped()}}}).empty());
}

TEST_CASE("every card that is to be used must be readable and below warn (two-v620 failure 4)") {
  HostState state = normal();
  const CardId gpu1 = *CardId::parse("gpu1");
  auto& verdicts = state.guard.verdicts.at(gpu1);
  const auto memory = static_cast<std::size_t>(Channel::memory);
  SECTION("hot") {
    verdicts[memory]->celsius = Celsius::from_degrees(93);
    CHECK(codes(state) == Codes{"card-hot gpu1"});
    CHECK(message(state) == "gpu1 is hot: memory 93.0 C, and must be below 93.0 C");
  }
  SECTION("just below warn") {
    verdicts[memory]->celsius = Celsius::from_milli(92'999);
    CHECK(codes(state).empty());
  }
  SECTION("one channel missing beside one good") {
    verdicts[memory] = Verdict{VerdictKind::unreadable, std::nullopt, state.taken_at, "no such file"};
    CHECK(codes(state) == Codes{"card-blind gpu1"});
    CHECK(message(state) == "gpu1 cannot be read, and counts as too hot: memory: no such file");
  }
  SECTION("a required channel that was never judged") {
    verdicts[memory].reset();
    CHECK(codes(state) == Codes{"card-blind gpu1"});
  }
  SECTION("asleep: readable and cool (11.5)") {
    verdicts = {Verdict{VerdictKind::parked, std::nullopt, state.taken_at, "suspended"},
                Verdict{VerdictKind::parked, std::nullopt, state.taken_at, "suspended"}};
    CHECK(codes(state).empty());
  }
}

TEST_CASE("without a guard on time the card is read by ourselves (--without-guard)") {
  HostState state = normal();
  state.guard = {};
  const decide::Allowed alone{.without_guard = true, .open_cutover = false};
  CHECK(codes(state, to_qwen38fn(), alone).empty());
  SECTION("hot") {
    state.cards[0].sample->channels[0]->input.text = "97000\n";
    CHECK(codes(state, to_qwen38fn(), alone) == Codes{"card-hot gpu1"});
  }
  SECTION("blind") {
    state.cards[0].sample->channels[1]->input = {5, ""};
    CHECK(codes(state, to_qwen38fn(), alone) == Codes{"card-blind gpu1"});
  }
  SECTION("no sample at all") {
    state.cards[0].sample.reset();
    CHECK(codes(state, to_qwen38fn(), alone) == Codes{"card-blind gpu1"});
  }
  SECTION("an old good verdict of a guard that has died counts for nothing") {
    state.guard = normal().guard;
    state.guard.running = Truth::no;
    state.cards[0].sample->channels[1]->input = {5, ""};
    CHECK(codes(state, to_qwen38fn(), alone) == Codes{"card-blind gpu1"});
  }
}

TEST_CASE("a card that moves must be able to come free (S11)") {
  HostState state = normal();
  SECTION("a benchmark of the host has it open") {
    state.cards[1].holders[0].place = {};
    CHECK(codes(state) == Codes{"holder-foreign gpu2"});
  }
  SECTION("a process that nobody may look into may have it open") {
    state.unknown_holders = {{4711, {std::nullopt, std::nullopt, {}, true, false}, "Permission denied"}};
    CHECK(codes(state) == Codes{"holder-unknown process 4711"});
  }
  SECTION("unless it ends with its container") {
    state.unknown_holders = {{4711, {k123, std::nullopt, {}, true, false}, "Permission denied"}};
    CHECK(codes(state).empty());
  }
  SECTION("or nothing moves at all") {
    state.unknown_holders = {{4711, {}, "Permission denied"}};
    CHECK(codes(state, to_qwen36()).empty());
  }
}
