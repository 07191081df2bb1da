#include <fstream>

#include "base/text.h"
#include "catch.h"
#include "model/journal_text.h"
#include "model/ledger_text.h"
#include "model/state_text.h"
#include "observe/own_state.h"
#include "observe/policy_fixture.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;
using namespace std::chrono_literals;

namespace {

const std::string kBoot = "6d1f7a5e-8a43-4f0e-9d52-0f8f9b0e7c11";

HostState state_at(Instant now) {
  HostState state;
  state.taken_at = now;
  state.boot_id = kBoot;
  return state;
}

void write_journal(Tree& tree, const std::string& id, bool ended) {
  std::string text =
      journal_line({"begin", {{"name", "to-qwen38fn"}}}) + journal_line({"intent", {{"step", 1}}});
  if (ended) text += journal_line({"end", {{"result", "done"}}});
  tree.file(std::string(paths::kCutovers) + "/" + id + ".journal", text);
}

HostState with_cutover(Tree& tree) {
  HostState state = state_at(Instant{});
  read_open_cutover(tree.host(), state);
  return state;
}

}  // namespace

TEST_CASE("no ledger is an empty one; a damaged ledger is none, with the reason") {
  Tree tree;
  HostState state;
  read_ledger(tree.host(), state);
  CHECK(state.ledger == Ledger{});

  const Ledger ledger = {{kGpu1, Owner::of(k120)}, {kGpu2, Owner::nobody()}};
  tree.file(paths::kLedger, ledger_text(ledger));
  HostState whole;
  read_ledger(tree.host(), whole);
  CHECK(whole.ledger == ledger);

  for (const std::string& damaged : {std::string(), ledger_text(ledger) + "x", std::string("garbage")}) {
    tree.file(paths::kLedger, damaged);
    HostState broken;
    read_ledger(tree.host(), broken);
    CHECK(!broken.ledger);
    CHECK(broken.ledger_error.find(paths::kLedger) != std::string::npos);
  }
}

TEST_CASE("a latch file is a latch, whatever stands in it") {
  Tree tree;
  const Policy policy = two_v620_policy();
  tree.file(paths::latch(kGpu1),
            latch_text({.reason = TripReason::over_temperature, .why = "junction 103.0 C", .tripped = "x"}));
  tree.file(paths::latch(kGpu2), "").file(paths::latch(kGpu1) + ".tmp.4711", "rest");
  HostState state;
  read_latches(tree.host(), policy, state);
  REQUIRE(state.latches.size() == 2);
  CHECK(state.latches.at(kGpu1).why == "junction 103.0 C");
  CHECK(!state.latches.at(kGpu1).damaged);
  CHECK(state.latches.at(kGpu2).damaged);

  tree.remove(paths::latch(kGpu2)).folder(paths::latch(kGpu2));  // there, and not to be read
  HostState unreadable;
  read_latches(tree.host(), policy, unreadable);
  CHECK(unreadable.latches.at(kGpu2).damaged);
}

TEST_CASE("no latch folder, no latch; a folder that cannot be listed latches every card") {
  Tree tree;
  const Policy policy = two_v620_policy();
  HostState none;
  read_latches(tree.host(), policy, none);
  CHECK(none.latches.empty());
  tree.link(paths::kLatches, "latches");  // ELOOP stands for any refusal
  HostState refused;
  read_latches(tree.host(), policy, refused);
  CHECK(refused.latches.size() == 2);
}

TEST_CASE("the guard is fresh when it holds its lock and judged in time, in this boot") {
  Tree tree;
  const Instant now = instant_from_ns(1'000'000'000'000);
  const auto look = [&] {
    HostState state = state_at(now);
    read_guard(tree.host(), state);
    return state;
  };
  CHECK(look().guard.running == Truth::no);
  CHECK(look().cannot_tell.empty());

  GuardReport report;
  report.judged_at = now - kGuardPatience;
  tree.file(paths::kGuardReport, guard_text(report, kBoot));
  CHECK(!look().guard.fresh);  // a report without a lock is a dead daemon's
  const auto lock = tree.host().lock(paths::kGuardLock, Duration::zero());
  REQUIRE(lock);
  CHECK(look().guard.running == Truth::yes);
  CHECK(look().guard.fresh);

  report.judged_at = now - kGuardPatience - 1ms;
  tree.file(paths::kGuardReport, guard_text(report, kBoot));
  CHECK(!look().guard.fresh);

  report.judged_at = now;
  tree.file(paths::kGuardReport, guard_text(report, "another boot"));
  CHECK(!look().guard.fresh);
  CHECK(look().cannot_tell.size() == 1);
  tree.remove(paths::kGuardReport);
  CHECK(!look().guard.fresh);
}

TEST_CASE("a guard that hangs is called stale before systemd's watchdog ends it") {
  std::ifstream unit(PROJECT_DIR "/units/gpu-interlockd.service");
  std::optional<int> seconds;
  for (std::string line; std::getline(unit, line);) {
    const std::string key = "WatchdogSec=";
    if (line.starts_with(key) && line.ends_with('s'))
      seconds = parse_number<int>(line.substr(key.size(), line.size() - key.size() - 1));
  }
  REQUIRE(seconds);
  CHECK(kGuardPatience < std::chrono::seconds(*seconds));
}

TEST_CASE("a cutover is open while its journal has no end") {
  Tree tree;
  CHECK(!with_cutover(tree).cutover);
  write_journal(tree, "20261130T021407Z-to-qwen36", true);
  CHECK(!with_cutover(tree).cutover);
  write_journal(tree, "20261130T031407Z-to-qwen38fn", false);
  const HostState interrupted = with_cutover(tree);
  REQUIRE(interrupted.cutover);
  CHECK(interrupted.cutover->id == "20261130T031407Z-to-qwen38fn");
  CHECK(interrupted.cutover->name == "to-qwen38fn");
  CHECK(interrupted.cutover->state == "interrupted");
  CHECK(!interrupted.cutover->attended);
  const auto lock = tree.host().lock(paths::kCutoverLock, Duration::zero());
  CHECK(with_cutover(tree).cutover->attended);
  CHECK(with_cutover(tree).cutover->state == "running");
}

TEST_CASE("an older journal that is open is found behind newer ones: wall clocks step") {
  Tree tree;
  write_journal(tree, "20261130T021407Z-to-qwen38fn", false);
  write_journal(tree, "20261130T031407Z-to-qwen36", true);
  CHECK(with_cutover(tree).cutover->id == "20261130T021407Z-to-qwen38fn");
}

TEST_CASE("a journal of which nothing is whole is an open cutover, not none") {
  Tree tree;
  tree.file(std::string(paths::kCutovers) + "/20261130T031407Z-x.journal", "torn");
  REQUIRE(with_cutover(tree).cutover);
  CHECK(with_cutover(tree).cutover->name == "x");
  tree.file(std::string(paths::kCutovers) + "/20261130T031407Z-x.journal", "");
  CHECK(with_cutover(tree).cutover);
}
