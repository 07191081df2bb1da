#include "act/edit_config.h"
#include "base/digest.h"
#include "catch.h"
#include "host/paths.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"

using namespace interlock;
using namespace interlock::act;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;

namespace {

const Vmid k123 = *Vmid::parse("123");
const std::string kRender =
    "lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-render dev/dri/renderD128 none "
    "bind,optional,create=file";

mocks::Model stopped_host() {
  MockHost host(mocks::two_v620());
  host.machine().kill_container(123);
  host.machine().pass(std::chrono::seconds(5));
  return host.model();
}

Container seen(const MockHost& host) {
  Container container{.vmid = k123,
                      .name = {},
                      .config = *host.model().config(123),
                      .digest = sha1_hex(*host.model().config(123)),
                      .running = RunState::stopped,
                      .settings = {},
                      .bindings = {},
                      .autostart = {},
                      .lock = {},
                      .unprovable = {},
                      .pending = {},
                      .generated_lines = {},
                      .generated_cards = {},
                      .units_error = {},
                      .units = {},
                      .keepsake = {}};
  return container;
}

Result<void> take_render_out(MockHost& host, const Container& container) {
  return edit_config(host, container, {.out = {kRender}, .in = {}});
}

}  // namespace

TEST_CASE(
    "a line goes, everything else stays byte for byte, the snapshot with its own binding too (B01, I5)") {
  MockHost host(stopped_host());
  std::string wanted = *host.model().config(123);
  wanted.erase(wanted.find(kRender), kRender.size() + 1);
  REQUIRE(take_render_out(host, seen(host)).has_value());
  CHECK(*host.model().config(123) == wanted);
  CHECK(wanted.contains("[before-upgrade]"));
  CHECK(host.model().locks.empty());
}

TEST_CASE("a configuration that somebody changed since it was looked at is not written over") {
  MockHost host(stopped_host());
  const Container container = seen(host);
  const std::string changed = *host.model().config(123) + "lxc.cap.drop: sys_admin\n";
  host.poke(paths::container_config(k123), changed);
  const auto edited = take_render_out(host, container);
  REQUIRE_FALSE(edited.has_value());
  CHECK(edited.error().message.contains("somebody has changed it"));
  CHECK(*host.model().config(123) == changed);
}

TEST_CASE("a container that runs by now is not edited: it keeps the card until it stops") {
  MockHost host(stopped_host());
  const Container container = seen(host);
  REQUIRE_FALSE(host.machine().start_container(123, true).has_value());
  CHECK_FALSE(take_render_out(host, container).has_value());
}

TEST_CASE("a locked configuration is left alone: a backup is at work on it") {
  MockHost host(stopped_host());
  host.poke(paths::container_config(k123), "lock: backup\n" + *host.model().config(123));
  const auto edited = take_render_out(host, seen(host));
  REQUIRE_FALSE(edited.has_value());
  CHECK(edited.error().message.contains("locked (backup)"));
}

TEST_CASE("while Proxmox holds its lock for longer than it waits itself, nothing is written") {
  MockHost host(stopped_host());
  host.model().locks[paths::container_lock(k123)] = "pct";
  const auto begun = host.now();
  const auto edited = take_render_out(host, seen(host));
  REQUIRE_FALSE(edited.has_value());
  CHECK(edited.error().message.contains("held by another"));
  CHECK(host.now() - begun >= std::chrono::seconds(10));
}

TEST_CASE("the lock is let go whatever happened, since pct would wait for it in vain") {
  MockHost host(stopped_host());
  host.choose = [](const mocks::Operation& it) {
    return Fault{it.kind == mocks::OperationKind::replace_file ? Fault::Kind::fail : Fault::Kind::none, 0,
                 false};
  };
  CHECK_FALSE(take_render_out(host, seen(host)).has_value());
  CHECK(host.model().locks.empty());
}

TEST_CASE("a write that says done and did nothing is noticed; one that failed after its effect is done") {
  MockHost host(stopped_host());
  const auto strike = [&](Fault::Kind how) {
    host.choose = [how](const mocks::Operation& it) {
      return Fault{it.kind == mocks::OperationKind::replace_file ? how : Fault::Kind::none, 0, false};
    };
  };
  strike(Fault::Kind::no_effect);
  CHECK_FALSE(take_render_out(host, seen(host)).has_value());
  strike(Fault::Kind::fail_after);
  CHECK(take_render_out(host, seen(host)).has_value());
}

TEST_CASE("the harmless setting is one that is there, with the value that it has") {
  MockHost host(stopped_host());
  Container container = seen(host);
  container.settings = {{"memory", "65536"}, {"swap", "4096"}};
  CHECK(*harmless_setting(container) == Settings{{"memory", "65536"}});
  container.settings.clear();
  CHECK_FALSE(harmless_setting(container).has_value());
}
