// Every single call of pct goes wrong once, in every way in which pct has been seen to (pct.md, 1.0;
// verification.md, section 4): the end is the target because what is read afterwards is right, or the
// beginning, or nothing was touched.
#include <fmt/format.h>

#include "catch.h"
#include "scene.h"

using namespace interlock;
using interlock::act::CutoverResult;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;
using interlock::mocks::Operation;

namespace {

struct Count {
  int runs = 0;
  int done = 0;
  int back = 0;
  int refused = 0;
  int held = 0;
};

std::vector<Operation> pct_operations(const scene::Course& course) {
  std::vector<Operation> found;
  MockHost host(course.from);
  host.after = [&](const Operation& operation) {
    if (operation.kind == mocks::OperationKind::run && operation.text.starts_with("pct "))
      found.push_back(operation);
  };
  REQUIRE(scene::run(host, course.name).result == CutoverResult::done);
  return found;
}

void check_end(const MockHost& host, const scene::Course& course, const act::CutoverReport& report,
               Count& count) {
  CHECK(scene::text_of(host.breaches()) == "");
  switch (report.result) {
    case CutoverResult::done:
      ++count.done;
      CHECK(scene::difference(scene::picture_of(host.model()), course.end) == "");
      CHECK_FALSE(scene::has_open_journal(host.model()));
      break;
    case CutoverResult::rolled_back:
      ++count.back;
      CHECK(scene::difference(scene::picture_of(host.model()), course.beginning) == "");
      CHECK_FALSE(scene::has_open_journal(host.model()));
      break;
    case CutoverResult::refused:
    case CutoverResult::error:
      ++count.refused;
      CHECK(scene::difference(scene::picture_of(host.model()), course.beginning) == "");
      CHECK(host.model().files.size() <= course.from.files.size() + 1);  // its lock
      break;
    default:
      ++count.held;
      FAIL_CHECK("neither there nor back");
  }
}

void fail_each(Fault::Kind kind, Count& count) {
  for (const scene::Course& course : scene::courses()) {
    for (const Operation& target : pct_operations(course)) {
      MockHost host(course.from);
      host.choose = [&](const Operation& it) {
        return Fault{it.index == target.index ? kind : Fault::Kind::none, 0, false};
      };
      const auto report = scene::run(host, course.name);
      INFO(fmt::format("{}, operation {}: {}\n", course.name, target.index, target.text)
           << scene::text_of(report));
      ++count.runs;
      check_end(host, course, report, count);
    }
  }
}

void say(const char* what, const Count& count) {
  WARN(fmt::format("{}: {} runs, {} done, {} rolled back, {} refused, {} held", what, count.runs, count.done,
                   count.back, count.refused, count.held));
}

}  // namespace

TEST_CASE("pct fails without effect, at each call") {
  Count count;
  fail_each(Fault::Kind::fail, count);
  say("fails", count);
  CHECK(count.runs >= 50);
  CHECK(count.held == 0);
}

TEST_CASE("pct fails after its effect, at each call: what is read afterwards decides") {
  Count count;
  fail_each(Fault::Kind::fail_after, count);
  say("fails after its effect", count);
  CHECK(count.runs >= 50);
  CHECK(count.held == 0);
}

TEST_CASE("pct says done and did nothing, at each call: never a false done") {
  Count count;
  fail_each(Fault::Kind::no_effect, count);
  say("success without effect", count);
  CHECK(count.runs >= 50);
  CHECK(count.held == 0);
}

TEST_CASE("pct hangs, without effect and with it, at each call") {
  Count count;
  fail_each(Fault::Kind::hang, count);
  fail_each(Fault::Kind::hang_after, count);
  say("hangs", count);
  CHECK(count.runs >= 100);
  CHECK(count.held == 0);
}

TEST_CASE("pct does half of it, or answers with nonsense, at each call") {
  Count count;
  fail_each(Fault::Kind::half, count);
  fail_each(Fault::Kind::garbage, count);
  say("half or nonsense", count);
  CHECK(count.runs >= 100);
  CHECK(count.held == 0);
}
