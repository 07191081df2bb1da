// Whoever ends a cutover with SIGTERM or ^C wants it over, not half done: it comes back by itself from
// wherever it is (design, section 6).
#include <fmt/format.h>

#include "act/cutover.h"
#include "act/journal.h"
#include "catch.h"
#include "mocks/config.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"
#include "shipped_policy.h"

using namespace interlock;
using namespace interlock::tests;
using act::CutoverReport;
using act::CutoverResult;
using act::OnFailure;
using mocks::MockHost;

namespace {

const std::string kName = "to-qwen38fn";

mocks::Model start(Duration load_time) {
  MockHost host(mocks::two_v620());
  host.poke("/usr/sbin/pct", "");
  for (mocks::Container& container : host.model().containers) {
    // As Proxmox writes it: its own rewriting is no change of ours.
    host.model().files.at(host.model().config_path(container.vmid)).text =
        print(mocks::parse(*host.model().config(container.vmid)));
    for (mocks::Unit& unit : container.units) {
      if (unit.cards > 0) unit.load_time = load_time;
    }
  }
  return host.model();
}

std::string picture_of(const mocks::Model& model) {
  std::string text;
  for (const mocks::Container& container : model.containers) {
    text += fmt::format("{} {}\n{}\n", container.vmid, container.running() ? "runs" : "is stopped",
                        *model.config(container.vmid));
    for (const mocks::Unit& unit : container.units)
      text += fmt::format("  {} {} {}\n", unit.name, unit.active, unit.file);
  }
  return text;
}

std::string text_of(const CutoverReport& report) {
  std::string text = fmt::format("{}: {}\n", act::to_string(report.result), report.error);
  for (const act::StepReport& step : report.steps)
    text += fmt::format("  {}{} {}: {}\n", step.back ? "back " : "", step.step.text,
                        step.done ? "done" : "FAILED", step.seen);
  for (const std::string& message : report.messages) text += "  " + message + "\n";
  return text;
}

/// Somebody who says "stop" from the Nth time on that he is asked; 0: never.
struct Stopper {
  int from = 0;
  int asked = 0;
  bool said = false;
  std::optional<Instant> at = {};
};

CutoverReport run(MockHost& host, Stopper& stopper, OnFailure on_failure) {
  act::CutoverOptions options;
  options.without_guard = true;
  options.on_failure = on_failure;
  options.told_to_stop = [&]() -> std::optional<std::string> {
    ++stopper.asked;
    if (stopper.from == 0 || stopper.asked < stopper.from) return std::nullopt;
    if (!stopper.at) stopper.at = host.model().now;
    stopper.said = true;
    return "SIGTERM";
  };
  return act::cut_over(host, shipped_policy(), kName, options, [&](const act::StepReport& step) {
    const bool begins = !step.done && step.seen.empty();
    if (begins && stopper.said) CHECK(step.back);  // no new step on the way forward
  });
}

}  // namespace

TEST_CASE("told to stop at any place of a cutover it ends where it began, and says so (exit 4)") {
  const mocks::Model from = start(std::chrono::seconds(2));
  Stopper never;
  {
    MockHost host(from);
    REQUIRE(run(host, never, OnFailure::rollback).result == CutoverResult::done);
  }
  REQUIRE(never.asked > 20);
  for (int nth = 1; nth <= never.asked; ++nth) {
    MockHost host(from);
    Stopper stopper{.from = nth};
    const CutoverReport report = run(host, stopper, OnFailure::rollback);
    INFO("told at the " << nth << "th of " << never.asked << " questions\n" << text_of(report));
    CHECK(host.breaches().empty());
    CHECK(picture_of(host.model()) == picture_of(from));
    if (nth == 1) {
      CHECK(report.result == CutoverResult::refused);  // nothing was begun
      REQUIRE(report.unmet.size() == 1);
      CHECK(report.unmet[0].message.contains("told to stop (SIGTERM)"));
      CHECK(act::journal_ids(host)->empty());
      continue;
    }
    CHECK(report.result == CutoverResult::rolled_back);
    CHECK(act::exit_code(report.result) == 4);
    CHECK(report.error.contains("told to stop (SIGTERM)"));
    const auto journal = act::read_journal(host, report.id);
    REQUIRE(journal.has_value());
    CHECK(journal->ended());
    const auto replan = std::ranges::find(journal->records, "replan", &JournalRecord::kind);
    REQUIRE(replan != journal->records.end());
    CHECK(replan->body.at("why").get<std::string>().contains("told to stop (SIGTERM)"));
  }
}

TEST_CASE(
    "told to stop with --on-failure hold it holds where nothing is unsafe, and recover brings it home") {
  const mocks::Model from = start(std::chrono::seconds(2));
  for (const int nth : {2, 5, 8, 11, 14, 20}) {
    MockHost host(from);
    Stopper stopper{.from = nth};
    const CutoverReport report = run(host, stopper, OnFailure::hold);
    INFO("told at the " << nth << "th question\n" << text_of(report));
    CHECK(report.result == CutoverResult::held);
    CHECK(report.error.contains("told to stop (SIGTERM)"));
    CHECK(host.breaches().empty());
    const auto recovered = act::recover(host, act::Direction::back, {}, [](const act::StepReport&) {});
    CHECK(recovered.result == CutoverResult::done);
    CHECK(picture_of(host.model()) == picture_of(from));
  }
}

namespace {

/// Something that a cutover waits for, long.
struct Wait {
  std::string step;
  std::function<void(mocks::Model&)> prepare;
  std::string hangs;  // a command that gives no answer, and takes effect later
};

const std::vector<Wait> kWaits = {
    {"see-card-free",
     [](mocks::Model& model) {
       for (mocks::Card& card : model.cards) card.lingers = std::chrono::seconds(80);
     },
     ""},
    {"start-container", [](mocks::Model&) {}, "pct start 120"},
    {"see-serving",
     [](mocks::Model& model) {
       mocks::find_unit(model.container(120)->units, "llamacpp-qwen38fn.service")->load_time =
           std::chrono::minutes(15);
     },
     ""},
};

}  // namespace

TEST_CASE(
    "a long wait ends within two seconds when it is told to stop: memory, a start, a model that loads") {
  for (const Wait& wait : kWaits) {
    mocks::Model from = start(std::chrono::seconds(2));
    wait.prepare(from);
    MockHost host(from);
    host.choose = [&](const mocks::Operation& it) {
      return mocks::Fault{it.text == wait.hangs ? mocks::Fault::Kind::hang_late : mocks::Fault::Kind::none, 0,
                          false};
    };
    std::string step;
    std::optional<Instant> told;
    std::optional<Instant> turned;
    host.after = [&](const mocks::Operation& it) {
      if (!told && it.kind == mocks::OperationKind::wait && step == wait.step) told = host.model().now;
    };
    act::CutoverOptions options;
    options.without_guard = true;
    options.told_to_stop = [&] { return told ? std::optional<std::string>("SIGINT") : std::nullopt; };
    const auto report = act::cut_over(host, shipped_policy(), kName, options, [&](const act::StepReport& it) {
      step = to_string(it.step.kind);
      if (told && !turned && !it.done && !it.seen.empty()) turned = host.model().now;
    });
    INFO(wait.step << "\n" << text_of(report));
    CHECK(report.result == CutoverResult::rolled_back);
    CHECK(report.error.contains("told to stop (SIGINT)"));
    REQUIRE(told);
    CHECK((turned && *turned - *told <= std::chrono::seconds(2)));
    CHECK(picture_of(host.model()) == picture_of(from));
    CHECK(host.breaches().empty());
  }
}

TEST_CASE("a recovery that is told to stop goes on back to where the cutover began") {
  const mocks::Model from = start(std::chrono::seconds(2));
  MockHost host(from);
  host.choose = [](const mocks::Operation& it) {
    return mocks::Fault{it.text == "pct start 120" ? mocks::Fault::Kind::killed : mocks::Fault::Kind::none, 0,
                        false};
  };
  Stopper never;
  CHECK_THROWS_AS(run(host, never, OnFailure::rollback), mocks::Killed);
  host.choose = nullptr;
  host.revive();
  act::CutoverOptions options;
  options.without_guard = true;
  options.told_to_stop = [] { return std::optional<std::string>("SIGTERM"); };
  const auto direction = GENERATE(act::Direction::back, act::Direction::forward);
  const auto report = act::recover(host, direction, options, [](const act::StepReport&) {});
  INFO(text_of(report));
  CHECK(report.result ==
        (direction == act::Direction::back ? CutoverResult::done : CutoverResult::rolled_back));
  CHECK(picture_of(host.model()) == picture_of(from));
  CHECK(host.breaches().empty());
}
