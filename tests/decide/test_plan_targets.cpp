// Targets that cannot be: each is refused, and says why.
#include "planning.h"

using namespace interlock;
using namespace interlock::two_v620;
using namespace interlock::planning;

namespace {
const Vmid k130 = *Vmid::parse("130");
const PciAddress kUnknown = *PciAddress::parse("0000:c3:00.0");
}  // namespace

TEST_CASE("one card for two containers is refused (I1; two-v620 failure 2)") {
  const Target target{"both", {{k120, running({kGpu1, kGpu2}, kQwen36)}, {k123, running({kGpu2}, kQwen38)}}};
  CHECK(refusal(normal(), policy(), target) == "gpu2 would be with more than one: 120 and 123");
  SECTION("unless the policy says that it may be shared") {
    Policy rules = policy();
    rules.cards[1].shared = true;
    CHECK(decide::plan(normal(), rules, target, "c1"));
  }
}

TEST_CASE("a card that a container outside the target can hold is refused (I1)") {
  const Target target{"grab", {{k120, running({kGpu1, kGpu2}, kQwen36)}}};
  HostState state = normal();
  const std::string sentence =
      "gpu2 would be with more than one: 120 and 123, which this target does not name";
  CHECK(refusal(state, policy(), target) == sentence);
  Container& other = *state.container(k123);
  SECTION("stopped with autostart, it would come back") {
    other.running = RunState::stopped;
    CHECK(refusal(state, policy(), target) == sentence);
  }
  SECTION("nobody knows whether it runs") {
    other.running = RunState::unknown;
    other.autostart = {};
    CHECK(refusal(state, policy(), target) == sentence);
  }
  SECTION("stopped without autostart, it can hold nothing") {
    other.running = RunState::stopped;
    other.autostart = {};
    state.cards[1].holders.clear();
    check_proven(state, policy(), planned(state, policy(), target));
  }
}

TEST_CASE("a card that a virtual machine has is refused (11.11)") {
  HostState state = normal();
  state.vms[kGpu2] = {"VM 200"};
  CHECK(refusal(state, policy(), to_qwen38fn()) == "gpu2 would be with more than one: 120 and VM 200");
}

TEST_CASE("containers, cards and units that are not there are refused") {
  CHECK(refusal(normal(), policy(), {"x", {{k120, running({kUnknown}, kQwen36)}}}) ==
        "container 120 is to have the card 0000:c3:00.0, which the policy does not know");
  CHECK(refusal(normal(), policy(), {"x", {{k130, stopped()}}}) ==
        "container 130 does not exist on this node");
  CHECK(refusal(normal(), policy(), {"x", {{k123, running({kGpu2}, kQwen36)}}}) ==
        "llamacpp.service is not among the units that the policy declares for container 123");
  HostState state = normal();
  state.container(k123)->is_template = true;
  state.container(k123)->running = RunState::stopped;
  CHECK(refusal(state, policy(), {"x", {{k123, running({kGpu2}, kQwen38)}}}) ==
        "container 123 is a template, which never runs");
}

TEST_CASE("a stopped container with two units must be told which is to serve (I2)") {
  HostState state = as_seen(reached(normal(), policy(), {"off", {{k120, stopped({kGpu1})}}}));
  CHECK(refusal(state, policy(), {"on", {{k120, running({kGpu1}, std::nullopt)}}}) ==
        "which of its 2 units container 120 starts cannot be told while it is stopped, and more than one may "
        "be "
        "enabled: the target must say which is to serve");
  Want none = running({kGpu1}, std::nullopt);
  none.retire_all = true;
  check_proven(state, policy(), planned(state, policy(), {"on", {{k120, none}}}));
}

TEST_CASE("a card that comes from an included file is not ours to take out (bindings: lxc.include)") {
  HostState state = normal();
  for (Binding& binding : state.container(k123)->bindings) binding.form = Binding::Form::included;
  CHECK(refusal(state, policy(), to_qwen38fn())
            .starts_with("container 123 has gpu2 from a file that its "
                         "configuration includes"));
}
