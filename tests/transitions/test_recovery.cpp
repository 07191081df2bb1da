// What recovery makes of journals and hosts that are not whole.
#include "act/journal.h"
#include "catch.h"
#include "host/paths.h"
#include "model/ledger_text.h"
#include "scene.h"

using namespace interlock;
using interlock::act::CutoverResult;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;
using interlock::mocks::Operation;

namespace {

/// A run that was killed after its nth pct call that changes something.
MockHost& interrupted(MockHost& host, const std::string& at) {
  host.choose = [at](const Operation& it) {
    return Fault{it.text.starts_with(at) ? Fault::Kind::killed_after : Fault::Kind::none, 0, false};
  };
  CHECK_THROWS_AS(scene::run(host, "to-qwen38fn"), mocks::Killed);
  host.revive();
  host.choose = nullptr;
  return host;
}

std::string journal_of(const MockHost& host) {
  for (const auto& [path, file] : host.model().files) {
    if (path.ends_with(".journal")) return path;
  }
  return {};
}

bool at_beginning(const MockHost& host) {
  return scene::difference(scene::picture_of(host.model()), scene::picture_of(scene::start())).empty();
}

}  // namespace

TEST_CASE("recover goes back by default, forward when asked, and each end is complete") {
  for (const std::string at : {"pct set 123", "pct shutdown 120", "pct start 120"}) {
    MockHost back(scene::start());
    interrupted(back, at);
    CHECK(scene::recover(back).result == CutoverResult::done);
    CHECK(at_beginning(back));
    CHECK(scene::text_of(back.breaches()) == "");

    MockHost forward(scene::start());
    interrupted(forward, at);
    const auto report = scene::recover(forward, act::Direction::forward);
    INFO(at << ": " << scene::text_of(report));
    CHECK(report.result == CutoverResult::done);
    CHECK(scene::difference(scene::picture_of(forward.model()), scene::courses()[0].end) == "");
    CHECK(scene::text_of(forward.breaches()) == "");
  }
}

TEST_CASE("a beginning that was written and is not in the journal is none, and nothing is touched (I4)") {
  MockHost host(scene::start());
  host.choose = [](const Operation& it) {
    const bool begins =
        it.kind == mocks::OperationKind::append_file && it.content.contains("\"kind\":\"begin\"");
    return Fault{begins ? Fault::Kind::no_effect : Fault::Kind::none, 0, false};
  };
  const auto report = scene::run(host, "to-qwen38fn");
  CHECK(report.result == CutoverResult::error);
  CHECK(report.error.contains("nothing was touched"));
  CHECK(at_beginning(host));
  CHECK(scene::recover(host).result == CutoverResult::unchanged);
}

TEST_CASE("the journal embeds the policy: recovery needs no policy file, and no other one") {
  MockHost host(scene::start());
  interrupted(host, "pct shutdown 123");
  CHECK_FALSE(host.peek(paths::kPolicy).has_value());
  CHECK(scene::recover(host).result == CutoverResult::done);
  CHECK(at_beginning(host));
}

TEST_CASE("an interrupted cutover refuses another one, and names recover (exit 3)") {
  MockHost host(scene::start());
  interrupted(host, "pct shutdown 123");
  const auto report = scene::run(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::refused);
  CHECK(scene::text_of(report).contains("recover"));
}

TEST_CASE("a journal whose first record is torn began nothing: it is closed, and the host is untouched") {
  MockHost host(scene::start());
  host.choose = [](const Operation& it) {
    return Fault{it.kind == mocks::OperationKind::append_file ? Fault::Kind::killed_half : Fault::Kind::none,
                 0, false};
  };
  CHECK_THROWS_AS(scene::run(host, "to-qwen38fn"), mocks::Killed);
  host.revive();
  host.choose = nullptr;
  CHECK(scene::recover(host).result == CutoverResult::done);
  CHECK(at_beginning(host));
  CHECK_FALSE(scene::has_open_journal(host.model()));
  CHECK(scene::run(host, "to-qwen38fn").result == CutoverResult::done);
}

TEST_CASE("a ledger that cannot be read does not keep the host from its way back") {
  MockHost host(scene::start());
  interrupted(host, "pct shutdown 123");
  host.poke(paths::kLedger, "0000:83:00.0 121\n");
  const auto report = scene::recover(host);
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::done);
  CHECK(at_beginning(host));
  CHECK(parse_ledger(*host.peek(paths::kLedger)).has_value());
}

TEST_CASE(
    "a journal that is damaged where it begins needs a person: --accept closes it, with the host as it is") {
  MockHost host(scene::start());
  interrupted(host, "pct shutdown 123");
  const std::string path = journal_of(host);
  std::string text = *host.peek(path);
  text[40] ^= 1;
  host.poke(path, text);
  const auto report = scene::recover(host);
  INFO(scene::text_of(report));
  // Its first record is not whole, and later ones are: something was begun, and nobody knows what.
  CHECK(report.result == CutoverResult::error);
  CHECK(report.error.contains("--accept"));
  CHECK(act::accept_as_is(host, scene::policy(), "looked at by hand").result == CutoverResult::done);
  CHECK_FALSE(scene::has_open_journal(host.model()));
  CHECK(act::accept_as_is(host, scene::policy(), "again").result == CutoverResult::unchanged);
}

TEST_CASE("recover --accept is refused while two containers can hold one card (I1)") {
  MockHost host(scene::start());
  interrupted(host, "pct shutdown 123");
  std::string config = *scene::start().config(120);
  config +=
      "lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-render dev/dri/renderD128 none "
      "bind,optional,create=file\n";
  host.poke(paths::container_config(*Vmid::parse("120")), config);
  host.poke(paths::container_config(*Vmid::parse("123")), *scene::start().config(123));
  const auto report = act::accept_as_is(host, scene::policy(), "in a hurry");
  CHECK(report.result == CutoverResult::refused);
  CHECK(scene::has_open_journal(host.model()));
}

TEST_CASE("recovery waits for a task of Proxmox that an earlier run has left behind") {
  MockHost host(scene::start());
  host.choose = [](const Operation& it) {
    return Fault{it.text.starts_with("pct start 120") ? Fault::Kind::killed_half : Fault::Kind::none, 0,
                 false};
  };
  CHECK_THROWS_AS(scene::run(host, "to-qwen38fn"), mocks::Killed);
  host.revive();
  host.choose = nullptr;
  const auto report = scene::recover(host);
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::done);
  CHECK(at_beginning(host));
}

TEST_CASE("at boot nothing is started, and an interrupted cutover is left for after the guests") {
  MockHost host(scene::start());
  host.choose = [](const Operation& it) {
    return Fault{it.text.starts_with("pct shutdown 120") ? Fault::Kind::power_cut : Fault::Kind::none, 0,
                 false};
  };
  CHECK_THROWS_AS(scene::run(host, "to-qwen38fn"), mocks::PowerCut);
  host.choose = nullptr;
  act::CutoverReport at_boot;
  host.boot_gate = [&](MockHost& it) {
    at_boot = act::recover_at_boot(it, [](const act::StepReport&) {});
    for (const mocks::Container& container : it.model().containers) CHECK_FALSE(container.running());
  };
  host.boot();
  CHECK(at_boot.result == CutoverResult::done);
  CHECK(scene::has_open_journal(host.model()));
  host.machine().pass(std::chrono::minutes(3));
  const auto report = scene::recover(host);
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::done);
  CHECK(at_beginning(host));
  CHECK(scene::text_of(host.breaches()) == "");
}
