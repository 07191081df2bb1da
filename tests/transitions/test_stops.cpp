// What stops a cutover before it begins, and what stops it on its way.
#include <fmt/format.h>

#include "act/latch_file.h"
#include "catch.h"
#include "host/paths.h"
#include "mocks/config.h"
#include "model/state_text.h"
#include "scene.h"

using namespace interlock;
using interlock::act::CutoverResult;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;
using interlock::mocks::Operation;

namespace {

const PciAddress kCard1 = *PciAddress::parse("0000:03:00.0");
const PciAddress kCard2 = *PciAddress::parse("0000:83:00.0");

act::CutoverReport with_guard(MockHost& host, const std::string& name) {
  return act::cut_over(host, scene::policy(), name,
                       {.without_guard = false, .on_failure = act::OnFailure::rollback},
                       [](const act::StepReport&) {});
}

/// A guard that judges every card, all the time, and says what `state` says of gpu2.
void guard_says(MockHost& host, GuardState state, const std::string& why = "") {
  GuardReport report;
  report.fresh = true;
  report.judged_at = host.model().now;
  for (const PolicyCard& card : scene::policy().cards) {
    report.states[card.id] = GuardState::guarding;
    Verdict verdict{VerdictKind::measured, Celsius::from_degrees(60), host.model().now, ""};
    report.verdicts[card.id] = {verdict, verdict};
  }
  report.states[scene::policy().cards[1].id] = state;
  report.reasons[scene::policy().cards[1].id] = why;
  host.model().locks[paths::kGuardLock] = "guard";
  host.poke(paths::kGuardReport, guard_text(report, host.model().boot_id));
}

bool at_beginning(const MockHost& host) {
  return scene::difference(scene::picture_of(host.model()), scene::picture_of(scene::start())).empty();
}

/// Nothing of ours but the cutover lock.
bool no_trace(const MockHost& host) {
  return host.model().files.size() <= scene::start().files.size() + 1;
}

int started(const MockHost& host) {
  int starts = 0;
  for (const mocks::PctCall& call : host.model().calls) {
    if (call.text.starts_with("start ") || call.text.contains("systemctl start")) ++starts;
  }
  return starts;
}

}  // namespace

TEST_CASE("without pct nothing is touched, and the answer is that this host cannot be read (exit 7)") {
  MockHost host(scene::start());
  host.model().files.erase("/usr/sbin/pct");
  host.model().overrides["/usr/sbin/pct"] = {2, "", false};
  const auto report = scene::run(host, "to-qwen38fn");
  CHECK(report.result == CutoverResult::error);
  CHECK(act::exit_code(report.result) == 7);
  CHECK(report.error.contains("pct"));
  CHECK(no_trace(host));
}

TEST_CASE("while another cutover is at work the answer is busy (exit 6), within a second or so") {
  MockHost host(scene::start());
  host.model().folders.insert(paths::kRun);
  host.model().locks[paths::kCutoverLock] = "another";
  const auto begun = host.now();
  const auto report = scene::run(host, "to-qwen38fn");
  CHECK(report.result == CutoverResult::busy);
  CHECK(act::exit_code(report.result) == 6);
  CHECK(host.now() - begun <= std::chrono::seconds(2));
  CHECK(no_trace(host));
}

TEST_CASE("a half-downloaded model is refused before anything is touched (two-v620: .verified)") {
  MockHost host(scene::start());
  host.model().container(120)->commands["/usr/local/bin/qwen38fn-verify"] = {1, "",
                                                                             "shard 3 is not verified\n"};
  const auto report = scene::run(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::refused);
  REQUIRE(report.unmet.size() == 1);
  CHECK(report.unmet[0].code == "requires");
  CHECK(report.unmet[0].message.contains("shard 3 is not verified"));
  CHECK(no_trace(host));
}

TEST_CASE(
    "a container that was not read whole is not begun with: it could not be given back as it was (I5)") {
  for (const std::string path : {"/etc/pve/lxc/123.conf", "/var/lib/gpu-interlock/keepsakes/123"}) {
    MockHost host(scene::large());
    bool once = true;
    host.choose = [&](const Operation& it) {
      const bool strikes = it.kind == mocks::OperationKind::read_file && it.text == path && once;
      if (strikes) once = false;
      return Fault{strikes ? Fault::Kind::fail : Fault::Kind::none, 0, false};
    };
    const auto report = scene::run(host, "to-qwen36");
    INFO(scene::text_of(report));
    CHECK(report.result == CutoverResult::refused);
    CHECK(scene::text_of(report).contains(path));
    CHECK(scene::difference(scene::picture_of(host.model()), scene::picture_of(scene::large())) == "");
  }
}

TEST_CASE("all that is missing is said together: the env file and the verification") {
  MockHost host(scene::start());
  host.model().container(120)->commands["/usr/local/bin/qwen38fn-verify"] = {1, "", ""};
  host.model().container(120)->files.erase("/etc/llamacpp-qwen38fn.env");
  const auto report = scene::run(host, "to-qwen38fn");
  CHECK(report.result == CutoverResult::refused);
  CHECK(report.unmet.size() == 2);
}

TEST_CASE("what a stopped container lacks is found after its start, before its unit, and leads back") {
  MockHost host(scene::large());
  host.model().container(123)->files.erase("/etc/llamacpp-qwen38fn.env");
  const auto report = scene::run(host, "to-qwen36");
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::rolled_back);
  CHECK(report.error.contains("/etc/llamacpp-qwen38fn.env"));
  CHECK(scene::difference(scene::picture_of(host.model()), scene::picture_of(scene::large())) == "");
  CHECK(scene::text_of(host.breaches()) == "");
}

TEST_CASE("a running backup, a locked container, a lost quorum: each refuses, and nothing is touched") {
  MockHost host(scene::start());
  SECTION("backup") {
    host.model().locks["/run/vzdump.lock"] = "vzdump";
  }
  SECTION("lock") {
    host.poke(paths::container_config(*Vmid::parse("123")), "lock: backup\n" + *host.model().config(123));
  }
  SECTION("quorum") {
    host.model().quorate = false;
  }
  const auto before = scene::picture_of(host.model());
  const auto report = scene::run(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::refused);
  CHECK_FALSE(report.unmet.empty());
  CHECK(scene::picture_of(host.model()) == before);
}

TEST_CASE("a guard that is not there refuses a cutover; one that watches lets it go all the way (I3)") {
  MockHost host(scene::start());
  CHECK(with_guard(host, "to-qwen38fn").result == CutoverResult::refused);
  CHECK(no_trace(host));
  host.after = [&](const Operation&) { guard_says(host, GuardState::guarding); };
  const auto report = with_guard(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::done);
}

TEST_CASE("a guard that dies on the way stops the cutover, which then leads back without one") {
  MockHost host(scene::start());
  host.after = [&](const Operation& it) {
    if (host.model().container(123)->running()) return guard_says(host, GuardState::guarding);
    if (it.text.starts_with("pct set")) host.model().locks.erase(paths::kGuardLock);
  };
  guard_says(host, GuardState::guarding);
  const auto report = with_guard(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::rolled_back);
  CHECK(report.error.contains("guard"));
  CHECK(at_beginning(host));
}

TEST_CASE("a trip on the way stops the cutover, and nothing is started on the latched card, back or forth") {
  for (const int at : {1, 3, 6, 9, 12}) {
    MockHost host(scene::start());
    int steps = 0;
    act::CutoverReport report = act::cut_over(
        host, scene::policy(), "to-qwen38fn", {.without_guard = true, .on_failure = act::OnFailure::rollback},
        [&](const act::StepReport& step) {
          if (step.done && !step.back && ++steps == at) {
            host.poke(paths::latch(kCard1),
                      latch_text({TripReason::over_temperature, "junction 103.0 C", "now", false}));
          }
        });
    INFO(fmt::format("latched after step {}\n", at) << scene::text_of(report));
    CHECK((report.result == CutoverResult::held || report.result == CutoverResult::rolled_back));
    CHECK(report.error.contains("latched"));
    CHECK(scene::text_of(host.breaches()) == "");
    for (const mocks::PctCall& call : host.model().calls) {
      CHECK_FALSE(call.text == "start 120");
      CHECK_FALSE(call.text == "exec 120 -- systemctl start --no-block llamacpp.service");
    }
    if (report.result != CutoverResult::held) continue;
    CHECK(scene::has_open_journal(host.model()));
    // A person has looked, and reset the card.
    REQUIRE(act::clear_latch(host, kCard1).has_value());
    const auto recovered = scene::recover(host);
    INFO(scene::text_of(recovered));
    CHECK(recovered.result == CutoverResult::done);
    CHECK(at_beginning(host));
  }
}

TEST_CASE(
    "a card that is latched when it would be served stops the wait for the large model, and is not served") {
  MockHost host(scene::start());
  host.after = [&](const Operation&) {
    const mocks::Unit& unit =
        *mocks::find_unit(host.model().container(120)->units, "llamacpp-qwen38fn.service");
    if (unit.active == "active" && !host.peek(paths::latch(kCard2))) {
      host.poke(paths::latch(kCard2), latch_text({TripReason::blind, "no reading", "now", false}));
    }
  };
  const auto report = scene::run(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK((report.result == CutoverResult::held || report.result == CutoverResult::rolled_back));
  CHECK(report.error.contains("latched"));
}

TEST_CASE(
    "on-failure hold stops where nothing is unsafe, says what is not as it was, and recover goes back") {
  MockHost host(scene::start());
  host.choose = [](const Operation& it) {
    return Fault{it.text == "pct start 120" ? Fault::Kind::no_effect : Fault::Kind::none, 0, false};
  };
  const auto report = act::cut_over(host, scene::policy(), "to-qwen38fn",
                                    {.without_guard = true, .on_failure = act::OnFailure::hold},
                                    [](const act::StepReport&) {});
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::held);
  CHECK(act::exit_code(report.result) == 5);
  CHECK(started(host) == 0);
  CHECK(report.messages.size() > 3);
  CHECK(report.messages.back().contains("gpu-interlock recover"));
  CHECK(scene::run(host, "to-qwen38fn").result == CutoverResult::refused);  // one is open
  host.choose = nullptr;
  CHECK(scene::recover(host).result == CutoverResult::done);
  CHECK(at_beginning(host));
}

TEST_CASE("a full disk: no record, so no step; on the way it is held with the invariants kept") {
  MockHost host(scene::start());
  SECTION("from the beginning") {
    host.model().disk_full = true;
    const auto report = scene::run(host, "to-qwen38fn");
    INFO(scene::text_of(report));
    CHECK(report.result == CutoverResult::error);
    CHECK(at_beginning(host));
  }
  SECTION("in the middle") {
    host.after = [&](const Operation& it) {
      if (it.text.starts_with("pct shutdown")) host.model().disk_full = true;
    };
    const auto report = scene::run(host, "to-qwen38fn");
    INFO(scene::text_of(report));
    CHECK(report.result == CutoverResult::held);
    CHECK(scene::text_of(host.breaches()) == "");
    host.after = nullptr;
    host.model().disk_full = false;
    CHECK(scene::recover(host).result == CutoverResult::done);
    CHECK(at_beginning(host));
  }
}

TEST_CASE("a worker that outlives its server keeps the card, which is not given away (S01, S02)") {
  MockHost host(scene::start());
  mocks::find_unit(host.model().container(123)->units, "llamacpp-qwen38fn.service")->stop =
      mocks::Stop::unkillable;
  for (mocks::Process& process : host.model().processes) {
    if (process.cgroup.contains("/lxc/123/") && !process.opens.empty()) process.unkillable = true;
  }
  const auto report = scene::run(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::held);
  CHECK(scene::text_of(host.breaches()) == "");
  CHECK(mocks::parse(*host.model().config(120)).main.raw.size() == 3);
}

TEST_CASE(
    "a server that falls back to the processor without a word is not serving, and the way back is taken "
    "(S10)") {
  MockHost host(scene::start());
  mocks::find_unit(host.model().container(120)->units, "llamacpp-qwen38fn.service")->cpu_fallback = true;
  // One card's link is not there for a moment: the optional bind is silently left out (S08).
  host.choose = [&](const Operation& it) {
    host.model().card("gpu2")->by_path = it.text != "pct start 120";
    return Fault{};
  };
  const auto report = scene::run(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::rolled_back);
  CHECK(report.error.contains("no process of it uses"));
  CHECK(at_beginning(host));
}

TEST_CASE("a server that crashes in a loop is not serving (U11, two-v620 failure 11)") {
  MockHost host(scene::start());
  mocks::find_unit(host.model().container(120)->units, "llamacpp-qwen38fn.service")->dies_after =
      std::chrono::seconds(47);
  const auto report = scene::run(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::rolled_back);
  CHECK(at_beginning(host));
}

TEST_CASE("a unit that cannot be enabled is not called enabled, though systemctl says so (U05)") {
  MockHost host(scene::start());
  mocks::find_unit(host.model().container(120)->units, "llamacpp-qwen38fn.service")->wanted_by.clear();
  const auto report = scene::run(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  CHECK((report.result == CutoverResult::rolled_back || report.result == CutoverResult::refused));
  CHECK(at_beginning(host));
}
