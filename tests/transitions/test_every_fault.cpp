// Every place, every kind of fault, killed and without power at each, complete: two of them, or one of them
// and an act of another, in every run (I1, I2, I4, I5; verification.md, section 3). The end is the beginning,
// the target, or a safe hold from which recovery gets through. docs/verification.md tells how the tree is
// walked.
//
// INTERLOCK_TRACE="to-qwen38fn 217:fail-after,350:killed" tells one scenario.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>

#include "base/text.h"
#include "catch.h"
#include "play.h"
#include "walker.h"

using namespace interlock;
using explore::Extent;

namespace {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets it here
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// So many were there when this was written: a walk with fewer has lost something.
constexpr std::uint64_t kOneFault = 1850;
constexpr std::uint64_t kOneReadFault = 8500;
constexpr std::uint64_t kTwoFaults = 155'000;
constexpr std::uint64_t kTwoFaultsStandFor = 1'750'000;
constexpr std::uint64_t kTwoFaultsChecks = 11'000'000;

explore::Totals walk(const std::string& name, const Extent& extent) {
  const auto begun = std::chrono::steady_clock::now();
  const auto totals = explore::Walker(explore::course_named(name), extent).walk();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  WARN(fmt::format("{}, {} faults: {:.1f} s, {}", name, extent.faults, took.count(), totals.text()));
  for (const std::string& failure : totals.failures) FAIL_CHECK(failure);
  CHECK(totals.failed == 0);
  return totals;
}

void check_two(const std::string& course) {
  const auto totals = walk(course, {.faults = 2});
  CHECK(totals.all() >= kTwoFaults);
  CHECK(totals.represented >= kTwoFaultsStandFor);
  CHECK(totals.checks >= kTwoFaultsChecks);
}

}  // namespace

TEST_CASE("a run that is stopped between each two steps and gone on with does the very same operations") {
  for (const scene::Course& course : scene::gated_courses()) {
    std::vector<std::string> whole;
    mocks::MockHost host(course.from);
    scene::install_gate(host);
    host.choose = [&](const mocks::Operation& it) {
      whole.push_back(fmt::format("{} {} {}", it.index, mocks::to_string(it.kind), it.text));
      return mocks::Fault{};
    };
    REQUIRE(scene::run(host, course.name).result == act::CutoverResult::done);
    std::vector<std::string> pieces;
    std::optional<explore::Node> at = explore::Node{course.from, {}};
    while (at) {
      explore::Segment segment(course, *at, {});
      segment.before = [&](const mocks::Operation& it, const mocks::Model&) {
        pieces.push_back(fmt::format("{} {} {}", it.index, mocks::to_string(it.kind), it.text));
      };
      at = segment.run();
    }
    const auto differ = std::ranges::mismatch(whole, pieces);
    INFO((differ.in1 == whole.end() ? "" : *differ.in1)
         << " against " << (differ.in2 == pieces.end() ? "" : *differ.in2));
    CHECK(whole.size() == pieces.size());
    CHECK(differ.in1 == whole.end());
  }
}

TEST_CASE("one fault anywhere or one act of another: complete") {
  for (const char* name : {"to-qwen38fn", "to-qwen36"}) {
    const auto totals = walk(name, {.faults = 1});
    CHECK(totals.all() >= kOneFault);
  }
}

TEST_CASE("one fault walked in one go and from place to place comes to the same ends") {
  // Every scenario of an unreduced walk, ended by itself; one in so many of them once more in one go.
  constexpr std::size_t kOneIn = 40;
  const scene::Course& course = explore::course_named("to-qwen38fn");
  explore::Walker unreduced(course, {.faults = 1, .merge = false});
  std::vector<std::pair<explore::Trace, std::string>> ended;
  unreduced.told = [&](const explore::Trace& trace, const std::string& end) {
    ended.emplace_back(trace, end);
  };
  const auto all = unreduced.walk();
  const auto reduced = explore::Walker(course, {.faults = 1}).walk();
  CHECK(all.failed == 0);
  CHECK(all.all() <= ended.size() + all.merged);  // to its end, or round to where it was held before
  std::set<std::string> ends;
  for (const auto& [trace, end] : ended) ends.insert(end);
  std::set<std::string> reduced_ends;
  for (const auto& [end, count] : reduced.ends) reduced_ends.insert(end);
  CHECK(ends == reduced_ends);
  for (std::size_t at = 0; at < ended.size(); at += kOneIn) {
    const auto& [trace, end] = ended[at];
    INFO(trace.text());
    CHECK(explore::play(course, trace, explore::Tell::nothing).judgement.means == end);
  }
  WARN(fmt::format("unreduced: {}", all.text()));
}

TEST_CASE("one fault of a read anywhere: complete", "[.nightly]") {
  for (const char* name : {"to-qwen38fn", "to-qwen36"}) {
    const auto totals = walk(name, {.faults = 1, .actors = false, .reads = true});
    CHECK(totals.all() >= kOneReadFault);
  }
}

// A test each, so that ctest -j2 takes both at once.
TEST_CASE("two faults anywhere or one and an act of another: complete: to-qwen38fn") {
  check_two("to-qwen38fn");
}

TEST_CASE("two faults anywhere or one and an act of another: complete: to-qwen36") {
  check_two("to-qwen36");
}

TEST_CASE("a scenario is told from its text") {
  const auto text = environment("INTERLOCK_TRACE");
  if (!text) return;
  const auto trace = explore::Trace::parse(*text);
  REQUIRE(trace);
  const auto played = explore::play(explore::course_named(trace->cutover), *trace, explore::Tell::numbered);
  WARN(played.story << "\n" << played.judgement.end << "\n" << played.judgement.wrong);
  CHECK(played.judgement.wrong.empty());
}
