// The screen of `watch`, without a terminal: it fits, and what is wrong is on it.
#include <algorithm>

#include "catch.h"
#include "cli/render_watch.h"
#include "decide/findings.h"
#include "decide/two_v620.h"

using namespace interlock;
using namespace interlock::cli;
using namespace interlock::two_v620;

namespace {

std::vector<std::string> drawn(const HostState& state, ScreenForm form, bool colour = false, int looks = 50) {
  const Policy rules = policy();
  WatchHistory history;
  for (int look = 0; look < looks; ++look) history.add(card_statuses(state, rules));
  const Audit audit = decide::audit(state, rules);
  return watch_lines({state, rules, audit, history, "q ends"}, form, {.colour = colour});
}

bool has(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(lines,
                             [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

/// As a terminal counts: without colours, one for each character.
int width(const std::string& text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b')
      at = text.find('m', at);
    else if ((static_cast<unsigned char>(text[at]) & 0xc0U) != 0x80U)
      ++columns;
  }
  return columns;
}

}  // namespace

TEST_CASE("the screen never gets more lines or columns than it has") {
  HostState state = normal();
  SECTION("at work") {}
  SECTION("with everything wrong") {
    state.guard = {};
    state.guard.running = Truth::no;
    state.policy_broken = "policy.yaml:3:7: unknown key 'pcl' " + std::string(300, 'x');
    state.container(k121)->bindings = {state.container(k120)->bindings[0]};
    state.cannot_tell.push_back("whether it rains");
  }
  const bool colour = GENERATE(false, true);
  const bool unicode = GENERATE(false, true);
  for (const auto& [columns, rows] : {std::pair(80, 24), std::pair(200, 60), std::pair(40, 10),
                                      std::pair(20, 3), std::pair(80, 1), std::pair(1, 1)}) {
    const auto lines = drawn(state, {.columns = columns, .rows = rows, .unicode = unicode}, colour);
    INFO(columns << " x " << rows);
    CHECK(static_cast<int>(lines.size()) <= std::max(rows, 2));
    for (const std::string& line : lines) CHECK(width(line) <= columns);
  }
}

TEST_CASE("a usual terminal shows state, temperatures, user and curves with their limits of both cards") {
  const auto lines = drawn(normal(), {.columns = 100, .rows = 24, .unicode = true});
  for (const char* part :
       {"the guard watches", "gpu1", "gpu2", "guarding", "junction 62.0 C", "memory 62.0 C",
        "serving 120/llamacpp.service", "trip 102", "warn 95", "trip 101", "q ends"}) {
    INFO(part);
    CHECK(has(lines, part));
  }
  CHECK_FALSE(has(lines, "\x1b"));
}

TEST_CASE("on a small screen curves go before cards do, and cards not in silence") {
  const auto small = drawn(normal(), {.columns = 80, .rows = 5, .unicode = true});
  CHECK(has(small, "gpu1"));
  CHECK(has(small, "gpu2"));
  CHECK_FALSE(has(small, "trip 102"));
  CHECK(has(drawn(normal(), {.columns = 80, .rows = 3, .unicode = true}), "too small"));
}

TEST_CASE("a latched card, a violation and what cannot be told are on the screen") {
  HostState state = normal();
  state.latches[kGpu2] = {TripReason::over_temperature, "junction 103.0 C twice in a row",
                          "2026-11-30T02:14:07Z", false};
  state.container(k121)->bindings = {state.container(k120)->bindings[0]};
  state.cannot_tell.push_back("whether a backup runs: no");
  const auto lines = drawn(state, {.columns = 120, .rows = 30, .unicode = true});
  CHECK(has(lines, "latched"));
  CHECK(has(lines, "junction 103.0 C twice in a row"));
  CHECK(has(lines, "121"));
  CHECK(has(lines, "cannot tell"));
}

TEST_CASE("the history keeps what was measured, in order, and forgets the oldest") {
  const Policy rules = policy();
  HostState state = normal();
  WatchHistory history;
  for (int degree = 0; degree < 3000; ++degree) {
    for (auto& [card, verdicts] : state.guard.verdicts)
      verdicts[0] = Verdict{VerdictKind::measured, Celsius::from_milli(degree), state.taken_at, {}};
    history.add(card_statuses(state, rules));
  }
  const Values values = history.of(state.cards[0].id, Channel::junction);
  CHECK(values.size() == 2048);
  CHECK(values.back() == Celsius::from_milli(2999));
  CHECK(values.front() == Celsius::from_milli(3000 - 2048));
  CHECK(history.of(*CardId::parse("other"), Channel::memory).empty());
}

TEST_CASE("a line is cut by what is seen of it, and its colour ends with it") {
  CHECK(clipped("abcdef", 3) == "abc");
  CHECK(clipped("abc", 3) == "abc");
  CHECK(clipped("\u2824\u2824\u2824", 2) == "\u2824\u2824");
  CHECK(clipped("\x1b[31mabcdef\x1b[0m", 2) == "\x1b[31mab\x1b[0m");
  CHECK(clipped("", 5).empty());
}
