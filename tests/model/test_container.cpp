// Who can hold a card (I1).
#include "catch.h"
#include "model/container.h"

using namespace interlock;

namespace {

const PciAddress kCard = *PciAddress::parse("0000:03:00.0");

Binding binding(Binding::When when) {
  Binding made;
  made.when = when;
  made.cards = {kCard};
  return made;
}

}  // namespace

TEST_CASE("a container can hold a card that it binds when it runs, may run, or would start without us (I1)") {
  Container container{*Vmid::parse("120")};
  container.bindings = {binding(Binding::When::now)};
  container.running = RunState::stopped;
  CHECK_FALSE(container.can_hold(kCard));
  container.running = RunState::unknown;
  CHECK(container.can_hold(kCard));
  container.running = RunState::running;
  CHECK(container.can_hold(kCard));
  container.running = RunState::stopped;
  container.autostart.onboot = true;
  CHECK(container.can_hold(kCard));
  container.is_template = true;
  CHECK_FALSE(container.can_hold(kCard));
}

TEST_CASE(
    "a container that runs has the cards of what was generated for it, whatever was edited since (I1)") {
  Container container{*Vmid::parse("120")};
  container.generated_cards = {kCard};
  container.autostart.onboot = true;
  container.running = RunState::stopped;
  CHECK_FALSE(container.can_hold(kCard));
  container.running = RunState::unknown;
  CHECK(container.can_hold(kCard));
  container.running = RunState::running;
  CHECK(container.can_hold(kCard));
}

TEST_CASE(
    "every way to start by itself counts: onboot, lxc.start.auto, high availability (pct.md, section 5)") {
  Autostart autostart;
  CHECK_FALSE(autostart.any());
  autostart.lxc_start_auto = true;
  CHECK(autostart.any());
  autostart = {};
  for (const char* state : {"started", "error", "migrate"}) {
    autostart.ha_state = state;
    CHECK(autostart.any());
  }
  for (const char* state : {"stopped", "disabled"}) {
    autostart.ha_state = state;
    CHECK_FALSE(autostart.any());
  }
}

TEST_CASE("a pending binding is one, and one in a snapshot is not yet (B01, B16)") {
  Container container{*Vmid::parse("120")};
  container.running = RunState::running;
  container.bindings = {binding(Binding::When::next_start)};
  CHECK(container.can_hold(kCard));
  container.bindings = {binding(Binding::When::latent)};
  CHECK_FALSE(container.binds(kCard));
  CHECK(container.cards().empty());
}
