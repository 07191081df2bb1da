// A first policy from what a host shows: what is read is in it, and nothing is guessed in silence.
#include <algorithm>

#include "catch.h"
#include "decide/sketch_host.h"
#include "decide/two_v620.h"

using namespace interlock;
using namespace interlock::decide;
using namespace interlock::two_v620;

namespace {

FoundCard found(const PciAddress& pci) {
  FoundCard card{.pci = pci};
  card.unique_id = pci == kGpu1 ? "4c8e1f2a7b305d91" : "7a3b1c5d9e2f4a60";
  card.memory = 32752 * kMiB;
  card.channels = {"edge", "junction", "mem"};
  card.limits = {ChannelLimits{Celsius::from_degrees(105), Celsius::from_degrees(110)},
                 ChannelLimits{Celsius::from_degrees(103), Celsius::from_degrees(108)}};
  return card;
}

FoundCards two_cards() {
  return {.cards = {found(kGpu1), found(kGpu2)}, .others = {}};
}

Policy loaded(const Sketched& drawn) {
  const std::string text = policy_text(drawn.sketch);
  INFO(text);
  auto policy = load_policy(text, "drawn");
  if (!policy) FAIL(policy.error().front().text());
  return *policy;
}

bool remarked(const Sketched& drawn, std::string_view part) {
  return std::ranges::any_of(drawn.remarks,
                             [&](const Remark& remark) { return remark.message.contains(part); });
}

}  // namespace

TEST_CASE("the two-v620 host gives the policy that its owners would have wanted") {
  const Sketched drawn = sketch_host(two_cards(), normal());
  const Policy policy = loaded(drawn);
  REQUIRE(policy.cards.size() == 2);
  CHECK(policy.cards[0].unique_id == "4c8e1f2a7b305d91");
  CHECK(policy.guard.limits(Channel::junction)->trip == Celsius::from_degrees(102));
  CHECK(policy.guard.limits(Channel::memory)->trip == Celsius::from_degrees(100));
  REQUIRE(policy.containers.size() == 2);  // 121 has nothing to do with the cards, and is never touched
  CHECK(policy.containers.at(k120).units == std::vector{kQwen36});
  CHECK(policy.containers.at(k123).units == std::vector{kQwen38});
  CHECK(policy.containers.at(k120).bind == BindStyle::mount_entry);
  CHECK(drawn.remarks.empty());
}

TEST_CASE("a container that binds a card and uses none is named, without units, and it is said") {
  HostState state = normal();
  state.cards[1].holders.clear();
  state.container(k123)->bindings[0].form = Binding::Form::device;
  state.container(k123)->bindings.resize(1);
  const Sketched drawn = sketch_host(two_cards(), state);
  const Policy policy = loaded(drawn);
  CHECK(policy.containers.at(k123).units.empty());
  CHECK(policy.containers.at(k123).bind == BindStyle::device);
  CHECK(remarked(drawn, "container 123: no service in it uses a card now"));
}

TEST_CASE("an idle holder, a user's own unit and a shell make no unit of the policy (case S05)") {
  HostState state = normal();
  Holder idle = server(k120, *UnitName::parse("monitor.service"), kGpu1);
  idle.uses = Truth::no;
  Holder user = server(k120, *UnitName::parse("jupyter.service"), kGpu1);
  user.place.cgroup = "/lxc/120/ns/user.slice/user-1000.slice/user@1000.service/app.slice/jupyter.service";
  Holder bench = server(k120, kQwen36, kGpu1);
  bench.command = "llama-bench";
  bench.place.unit.reset();
  state.cards[0].holders.insert(state.cards[0].holders.end(), {idle, user, bench});
  const Sketched drawn = sketch_host(two_cards(), state);
  CHECK(loaded(drawn).containers.at(k120).units == std::vector{kQwen36});
  CHECK(remarked(drawn, "llama-bench (PID 4711), in container 120 and in no service"));
}

TEST_CASE("what could not be seen is a remark: processes, cannot-tells, machines with the card") {
  HostState state = normal();
  state.cannot_tell = {"which containers run: no answer"};
  state.unknown_holders = {{.pid = 77, .place = {}, .why = "Permission denied"}};
  state.vms[kGpu2] = {"VM 200"};
  const Sketched drawn = sketch_host(two_cards(), state);
  CHECK(remarked(drawn, "cannot tell which containers run: no answer"));
  CHECK(remarked(drawn, "process 77 may use any card: Permission denied"));
  CHECK(remarked(drawn, "gpu2 is given to VM 200 too"));
}

TEST_CASE("a card with an edge temperature alone is left out and said; one that tells nothing stays in") {
  FoundCards cards = two_cards();
  FoundCard small{.pci = *PciAddress::parse("0000:0a:00.0")};
  small.channels = {"edge"};
  FoundCard silent{.pci = *PciAddress::parse("0000:c3:00.0")};
  silent.untold = "its driver shows no temperatures (no hwmon folder with labels)";
  cards.cards = {found(kGpu1), small, found(kGpu2), silent};
  cards.others = {{*PciAddress::parse("0000:e3:00.0"), "vfio-pci"}};
  const auto named = guardable(cards.cards);
  REQUIRE(named.size() == 3);
  CHECK(named[2].id.text() == "gpu3");
  CHECK(named[2].found.pci == silent.pci);
  const Sketched drawn = sketch_host(cards, normal());
  CHECK(loaded(drawn).cards.size() == 3);
  const std::string text = policy_text(drawn.sketch);
  for (const char* part :
       {"0000:0a:00.0 is in the machine and not guarded", "only edge", "0000:e3:00.0", "vfio-pci"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(remarked(drawn, "0000:0a:00.0"));
  CHECK(remarked(drawn, "0000:e3:00.0"));
  CHECK(remarked(drawn, "junction of gpu3 was not seen"));
  CHECK(remarked(drawn, "gpu3 gives no unique_id"));
}
