// The gate protects from what order and verification cannot: a person's `pct start`, a container that reboots
// itself, a snapshot rolled back, a clone (verification.md, section 2).
#include "catch.h"

#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // what a test does not name is default
#include "decide/gate.h"

using namespace interlock;
using decide::gate;

namespace {

const auto kGpu1 = PciAddress::parse("0000:03:00.0").value();
const auto kGpu2 = PciAddress::parse("0000:83:00.0").value();
const auto kForeign = PciAddress::parse("0000:c3:00.0").value();
const auto k120 = Vmid::parse("120").value();
const auto k123 = Vmid::parse("123").value();
const auto k130 = Vmid::parse("130").value();
constexpr Instant kNow = instant_from_ns(1'000'000'000'000);

Policy two_cards() {
  Policy policy;
  policy.cards = {{CardId::parse("gpu1").value(), kGpu1, {}, false},
                  {CardId::parse("gpu2").value(), kGpu2, {}, false}};
  for (const Vmid vmid : {k120, k123}) policy.containers.emplace(vmid, PolicyContainer{vmid, {}, {}, {}});
  return policy;
}

Container container(Vmid vmid, std::set<PciAddress> cards, RunState running, bool onboot = false) {
  Container made(vmid);
  made.running = running;
  made.autostart.onboot = onboot;
  if (!cards.empty()) made.bindings.push_back(Binding{.cards = std::move(cards)});
  return made;
}

/// 120 wants gpu1 and gpu2 and is stopped; the ledger gives it both.
struct Gated {
  Policy policy = two_cards();
  HostState state;
  decide::GateQuestion question{k120, {kGpu1, kGpu2}, {}, {}};
  Gated() {
    state.taken_at = kNow;
    state.boot_id = "boot-1";
    state.ledger = Ledger{{kGpu1, Owner::of(k120)}, {kGpu2, Owner::of(k120)}};
    for (const PolicyCard& card : policy.cards) state.cards.push_back(Card(card.id, card.pci));
    state.containers = {container(k120, {kGpu1, kGpu2}, RunState::stopped),
                        container(k123, {}, RunState::stopped)};
  }
  decide::GateAnswer ask() const { return gate(question, state, policy); }
  void allowance(Duration age, const std::string& boot = "boot-1") {
    question.allowance = Allowance{k120, "the model must answer tonight", boot, kNow - age};
  }
};

}  // namespace

TEST_CASE("a container that the ledger gives its cards starts, and claims them") {
  const auto answer = Gated{}.ask();
  CHECK(answer.allow);
  CHECK(answer.refusals.empty());
  CHECK(answer.claimed == std::set{kGpu1, kGpu2});
  CHECK_FALSE(answer.opened);
}

TEST_CASE("a container without a card of the policy is never refused, whatever the ledger says") {
  Gated gated;
  gated.question.cards = GENERATE(std::set<PciAddress>{}, std::set<PciAddress>{kForeign});
  gated.state.ledger.reset();
  gated.state.ledger_error = "damaged";
  CHECK(gated.ask().allow);
  CHECK(gated.ask().claimed.empty());
}

TEST_CASE("a card that the ledger gives to another container stays with it (a rolled back snapshot, B01)") {
  Gated gated;
  (*gated.state.ledger)[kGpu2] = Owner::of(k123);
  const auto answer = gated.ask();
  REQUIRE_FALSE(answer.allow);
  REQUIRE(answer.refusals.size() == 1);
  CHECK(answer.refusals[0].find("gpu2") != std::string::npos);
  CHECK(answer.refusals[0].find("container 123") != std::string::npos);
}

TEST_CASE("a card that a cutover holds belongs to nobody, and starts nothing") {
  Gated gated;
  (*gated.state.ledger)[kGpu1] = Owner::held_by("20261130T021407Z-to-qwen38fn");
  CHECK_FALSE(gated.ask().allow);
}

TEST_CASE("without a line, or with `none`, a card is judged by who has it now (I1)") {
  Gated gated;
  const bool none = GENERATE(true, false);
  gated.state.ledger = none ? Ledger{{kGpu1, Owner::nobody()}, {kGpu2, Owner::nobody()}} : Ledger{};
  CHECK(gated.ask().allow);

  SECTION("a container that runs and binds it") {
    gated.state.containers[1] = container(k123, {kGpu2}, RunState::running);
    CHECK_FALSE(gated.ask().allow);
  }
  SECTION("a container of which nobody can tell whether it runs") {
    gated.state.containers[1] = container(k123, {kGpu2}, RunState::unknown);
    CHECK_FALSE(gated.ask().allow);
  }
  SECTION("a stopped container that binds it too") {
    gated.state.containers[1] = container(k123, {kGpu2}, RunState::stopped);
    CHECK(gated.ask().allow);
  }
  SECTION("a container whose binding was edited away under it, and whose process still has it open (B15)") {
    Holder holder{.process = {4711, 1}, .command = "llama-server", .card = kGpu2};
    holder.place.container = k123;
    gated.state.cards[1].holders.push_back(holder);
    CHECK_FALSE(gated.ask().allow);
  }
}

TEST_CASE("two starts at once: the second sees the first one's claim") {
  Gated gated;
  gated.state.ledger = Ledger{};
  gated.question.claims = {Claim{k123, {kGpu2}, "boot-1", kNow - std::chrono::seconds(5), true, false}};
  CHECK_FALSE(gated.ask().allow);

  SECTION("of another boot it says nothing") {
    gated.question.claims[0].boot_id = "boot-0";
  }
  SECTION("after a minute it says nothing") {
    gated.question.claims[0].made_at = kNow - std::chrono::seconds(61);
  }
  SECTION("a claim of its own, by its first pass, is no obstacle") {
    gated.question.claims[0].vmid = k120;
  }
  SECTION("a claim on another card is no obstacle") {
    gated.question.claims[0].cards = {kForeign};
  }
  CHECK(gated.ask().allow);
}

TEST_CASE("at boot a container that the policy does not know gives way to one that it does (a clone)") {
  Gated gated;
  gated.state.ledger = Ledger{};
  gated.state.containers = {container(k120, {kGpu1}, RunState::stopped, true),
                            container(k130, {kGpu1}, RunState::stopped, true)};
  gated.question = {k130, {kGpu1}, {}, {}};
  CHECK_FALSE(gated.ask().allow);
  gated.question = {k120, {kGpu1}, {}, {}};
  CHECK(gated.ask().allow);
}

TEST_CASE("an unreadable ledger refuses a container with a card, and says how to mend it") {
  Gated gated;
  gated.state.ledger.reset();
  gated.state.ledger_error = "changed since it was written";
  const auto answer = gated.ask();
  REQUIRE_FALSE(answer.allow);
  CHECK(answer.refusals[0].find("gpu-interlock ledger rebuild") != std::string::npos);
  CHECK(answer.refusals[0].find("changed since it was written") != std::string::npos);
}

TEST_CASE("a shared card is nobody's alone") {
  Gated gated;
  for (PolicyCard& card : gated.policy.cards) card.shared = true;
  gated.state.containers[1] = container(k123, {kGpu2}, RunState::running);
  CHECK(gated.ask().allow);
}

TEST_CASE("a person can open the gate once, for two minutes of one boot") {
  Gated gated;
  (*gated.state.ledger)[kGpu2] = Owner::of(k123);

  SECTION("while it lasts") {
    gated.allowance(std::chrono::seconds(119));
    CHECK(gated.ask().allow);
    CHECK(gated.ask().opened);
  }
  SECTION("no longer") {
    gated.allowance(std::chrono::seconds(121));
    CHECK_FALSE(gated.ask().allow);
  }
  SECTION("not over a boot") {
    gated.allowance(std::chrono::seconds(1), "boot-0");
    CHECK_FALSE(gated.ask().allow);
  }
  SECTION("not for another container") {
    gated.allowance(std::chrono::seconds(1));
    gated.question.allowance->vmid = k130;
    CHECK_FALSE(gated.ask().allow);
  }
  SECTION("never against one that runs with the card") {
    gated.allowance(std::chrono::seconds(1));
    gated.state.containers[1] = container(k123, {kGpu2}, RunState::running);
    CHECK_FALSE(gated.ask().allow);
    CHECK_FALSE(gated.ask().opened);
  }
  SECTION("never against one that is starting with the card") {
    gated.allowance(std::chrono::seconds(1));
    gated.question.claims = {Claim{k123, {kGpu2}, "boot-1", kNow, true, false}};
    CHECK_FALSE(gated.ask().allow);
  }
  SECTION("the same start comes by a second time, from lxc's hook, when the word is used up") {
    gated.question.claims = {
        Claim{k120, {kGpu1, kGpu2}, "boot-1", kNow - std::chrono::seconds(2), true, true}};
    CHECK(gated.ask().allow);
    CHECK(gated.ask().opened);
    gated.question.claims[0].cards = {kGpu1};  // it was opened for less than it would start with now
    CHECK_FALSE(gated.ask().allow);
  }
  SECTION("where it is not needed it is not used up") {
    gated.allowance(std::chrono::seconds(1));
    (*gated.state.ledger)[kGpu2] = Owner::of(k120);
    CHECK(gated.ask().allow);
    CHECK_FALSE(gated.ask().opened);
  }
}
