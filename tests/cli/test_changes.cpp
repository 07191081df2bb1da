#include "catch.h"
#include "cli/changes.h"

#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // what a test does not name is default

using namespace interlock;
using cli::Change;

namespace {

const auto kGpu1 = PciAddress::parse("0000:03:00.0").value();
const auto kGpu2 = PciAddress::parse("0000:83:00.0").value();
const auto k120 = Vmid::parse("120").value();
const auto k123 = Vmid::parse("123").value();
const auto kOld = UnitName::parse("llamacpp.service").value();
const auto kNew = UnitName::parse("llamacpp-qwen38fn.service").value();

Container running(Vmid vmid, const PciAddress& card) {
  Container made(vmid);
  made.running = RunState::running;
  made.autostart.onboot = true;
  made.bindings.push_back(Binding{.cards = {card}});
  return made;
}

}  // namespace

TEST_CASE("a plan is told as what changes on each card, container and unit, and only that") {
  Policy policy;
  policy.cards = {{CardId::parse("gpu1").value(), kGpu1, {}, false},
                  {CardId::parse("gpu2").value(), kGpu2, {}, false}};
  HostState state;
  state.containers = {running(k120, kGpu1), running(k123, kGpu2)};
  state.containers[0].settings = {{"cores", "8"}, {"memory", "16384"}};
  state.containers[0].units = {
      Unit{.name = kOld, .active = ActiveState::active, .file = UnitFileState::enabled}};

  Plan plan;
  Want forward;
  forward.state = RunState::running;
  forward.cards = std::set{kGpu1, kGpu2};
  forward.serve = kNew;
  forward.settings = {{"cores", "48"}, {"memory", "16384"}};
  Want away;
  away.state = RunState::stopped;
  away.cards = std::set<PciAddress>{};
  plan.target.wants = {{k120, forward}, {k123, away}};
  plan.steps = {Step{.kind = StepKind::retire_unit, .container = k120, .unit = kOld},
                Step{.kind = StepKind::clear_autostart, .container = k123},
                Step{.kind = StepKind::stop_container, .container = k120},
                Step{.kind = StepKind::stop_container, .container = k123},
                Step{.kind = StepKind::start_unit, .container = k120, .unit = kNew},
                Step{.kind = StepKind::enable_unit, .container = k120, .unit = kNew}};

  const std::vector<Change> wanted = {
      {"card gpu2", "", "container 123", "container 120"},
      {"container 120", "", "running", "stopped, then started again"},
      {"container 120", "cores", "8", "48"},
      {"container 123", "", "running", "stopped"},
      {"container 123", "at boot", "starts", "stays down"},
      {"unit 120/llamacpp.service", "", "active, enabled", "retired: inactive, disabled"},
      {"unit 120/llamacpp-qwen38fn.service", "", "not known", "serving: active, enabled"},
  };
  CHECK(cli::changes(state, policy, plan) == wanted);
}
