// One fault at every primitive operation, of every kind, and the controller killed or the power cut at each;
// then recover(). The end is the beginning, the target, or a safe hold, never a breach on the way (I1, I2,
// I4; verification.md, section 3).
#include <fmt/format.h>

#include <map>

#include "catch.h"
#include "scene.h"

using namespace interlock;
using interlock::act::CutoverResult;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;
using interlock::mocks::Operation;

namespace {

using Kind = Fault::Kind;

std::vector<Operation> all_operations(const scene::Course& course) {
  std::vector<Operation> found;
  MockHost host(course.from);
  host.after = [&](const Operation& operation) { found.push_back(operation); };
  REQUIRE(scene::run(host, course.name).result == CutoverResult::done);
  return found;
}

struct Count {
  std::map<std::string, int> ends;
  int runs = 0;
  std::string text() const {
    std::string shown = fmt::format("{} runs", runs);
    for (const auto& [end, times] : ends) shown += fmt::format(", {} {}", times, end);
    return shown;
  }
};

/// At the beginning, at the target, or somewhere safe that is still open; nothing else.
std::string judge_end(const MockHost& host, const scene::Course& course, const act::CutoverReport& report) {
  CHECK(scene::text_of(host.breaches()) == "");
  const scene::Picture now = scene::picture_of(host.model());
  const bool began = scene::difference(now, course.beginning).empty();
  const bool reached = scene::difference(now, course.end).empty();
  if (report.result == CutoverResult::held) {
    CHECK(scene::has_open_journal(host.model()));
    CHECK_FALSE(report.messages.empty());
    return "held";
  }
  CHECK_FALSE((report.result == CutoverResult::done && !reached && !began));
  if (report.result == CutoverResult::rolled_back) CHECK(scene::difference(now, course.beginning) == "");
  if (report.result == CutoverResult::refused || report.result == CutoverResult::error ||
      report.result == CutoverResult::busy) {
    CHECK((began || reached));
  }
  return std::string(act::to_string(report.result)) + (reached ? " at the target"
                                                       : began ? " at the beginning"
                                                               : " elsewhere");
}

void run_each(const std::vector<Kind>& kinds, const std::function<bool(const Operation&)>& where,
              Count& count) {
  for (const scene::Course& course : scene::courses()) {
    for (const Operation& target : all_operations(course)) {
      if (!where(target)) continue;
      for (const Kind kind : kinds) {
        MockHost host(course.from);
        host.choose = [&](const Operation& it) {
          return Fault{it.index == target.index ? kind : Kind::none, 0, false};
        };
        const auto report = scene::run(host, course.name);
        INFO(fmt::format("{}, operation {}: {} {}, fault {}\n", course.name, target.index,
                         mocks::to_string(target.kind), target.text, static_cast<int>(kind))
             << scene::text_of(report));
        ++count.runs;
        const std::string end = judge_end(host, course, report);
        ++count.ends[end];
        if (end == "held") {
          host.choose = nullptr;
          const auto recovered = scene::recover(host);
          INFO("recovered: " << scene::text_of(recovered));
          ++count.ends["then " + judge_end(host, course, recovered)];
        }
      }
    }
  }
}

/// Stopped at an operation, by a kill or a power cut, and finished by another process.
void stop_each(const std::vector<Fault>& faults, act::Direction direction, Count& count) {
  for (const scene::Course& course : scene::courses()) {
    for (const Operation& target : all_operations(course)) {
      if (!target.mutating) continue;  // between two changes nothing else is different
      for (const Fault& fault : faults) {
        MockHost host(course.from);
        host.choose = [&](const Operation& it) { return it.index == target.index ? fault : Fault{}; };
        std::string how = "not reached";
        try {
          static_cast<void>(scene::run(host, course.name));
        } catch (const mocks::Killed&) {
          how = "killed";
          host.revive();
        } catch (const mocks::PowerCut&) {
          how = "power cut";
          host.boot();
          host.machine().pass(std::chrono::minutes(3));
        }
        INFO(fmt::format("{}, operation {}: {} {}, {} ({}, {} writes lost)\n", course.name, target.index,
                         mocks::to_string(target.kind), target.text, how, static_cast<int>(fault.kind),
                         fault.lost_writes));
        CHECK(scene::text_of(host.breaches()) == "");
        host.choose = nullptr;
        const auto report = scene::recover(host, direction);
        INFO(scene::text_of(report));
        ++count.runs;
        ++count.ends[judge_end(host, course, report)];
      }
    }
  }
}

}  // namespace

TEST_CASE("one fault at every change that the engine makes", "[.nightly]") {
  Count count;
  run_each(
      {Kind::fail, Kind::fail_after, Kind::no_effect, Kind::half, Kind::hang, Kind::hang_after,
       Kind::hang_late, Kind::undone_later},
      [](const Operation& it) { return it.mutating; }, count);
  WARN("faults at changes: " << count.text());
  CHECK(count.runs >= 1000);
}

TEST_CASE("killed before, in the middle of and after every change, then recovered back", "[.nightly]") {
  Count count;
  stop_each({{Kind::killed, 0, false}, {Kind::killed_half, 0, false}, {Kind::killed_after, 0, false}},
            act::Direction::back, count);
  WARN("killed: " << count.text());
  CHECK(count.runs >= 300);
}

TEST_CASE("killed at every change, then recovered forward", "[.nightly]") {
  Count count;
  stop_each({{Kind::killed_after, 0, false}}, act::Direction::forward, count);
  WARN("killed, forward: " << count.text());
  CHECK(count.runs >= 100);
}

TEST_CASE("the power cut at every change, losing nothing or the last writes below /etc/pve, then recovered",
          "[.nightly]") {
  Count count;
  stop_each({{Kind::power_cut, 0, false},
             {Kind::power_cut_after, 0, false},
             {Kind::power_cut_after, 1, false},
             {Kind::power_cut_after, 2, false},
             {Kind::power_cut_after, 3, true}},
            act::Direction::back, count);
  WARN("power cut: " << count.text());
  CHECK(count.runs >= 500);
}
