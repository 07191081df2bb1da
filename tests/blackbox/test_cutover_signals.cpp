// What a person, systemd or another controller does to a cutover under way: SIGTERM, ^C, SIGSTOP, a second
// one (verification.md, section 3, item 9).
#include <time.h>

#include <csignal>

#include "catch.h"
#include "cutover_bench.h"

using namespace interlock::tests;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

const std::string kLarge = "120/llamacpp-qwen38fn.service";

/// CLOCK_BOOTTIME, the product's own clock.
std::chrono::milliseconds now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_nsec / 1'000'000);
}

/// A host whose files have been written by Proxmox once, back where it began.
struct Ready {
  explicit Ready(const std::map<std::string, std::string>& timing = {}) : bench(timing) {
    REQUIRE(bench.cut_over("to-qwen38fn").exit == 0);
    far = bench.picture();
    REQUIRE(bench.cut_over("to-qwen36").exit == 0);
    near = bench.picture();
  }

  void check_home() {
    CHECK(bench.breaches() == "");
    CHECK(bench.picture() == near);
    CHECK(bench.result() != "open");
  }

  CutoverBench bench;
  std::string near;
  std::string far;
};

bool unit_stops(const CutoverBench& bench) {
  return bench.picture().find("llamacpp.service deactivating") != std::string::npos;
}

void check_came_back(Ready& ready, int exit, const std::string& signal) {
  const json said = ready.bench.said();
  INFO(said.dump(2));
  CHECK(exit == 4);
  CHECK(said.at("exit") == 4);
  CHECK(said.at("result") == "rolled-back");
  const std::string why = "told to stop (" + signal + ")";
  CHECK(said.at("error").at("message").get<std::string>().find(why) != std::string::npos);
  CHECK(ready.bench.host.text({"history", said.at("id")}).out.find(why) != std::string::npos);
  CHECK(ready.bench.result() == "rolled-back");
  ready.check_home();
}

}  // namespace

TEST_CASE(
    "SIGTERM or ^C (also again and again) while a large model loads leads a cutover back and it says why "
    "(exit 4)") {
  const bool twice = GENERATE(false, true);
  const int number = twice ? SIGINT : SIGTERM;
  Ready ready;
  ready.bench.host.mock("set", {"unit", kLarge, "load-ms", "3600000"});
  const auto running = ready.bench.begin("to-qwen38fn");
  REQUIRE(eventually([&] { return ready.bench.step() == "see-serving"; }));
  running->signal(number);
  if (twice) {
    REQUIRE(eventually([&] { return running->ended() || ready.bench.records("replan") > 0; }));
    running->signal(number);
    running->signal(SIGTERM);
  }
  REQUIRE(eventually([&] { return running->ended(); }, 60s));
  check_came_back(ready, running->end(), twice ? "SIGINT" : "SIGTERM");  // the first counts
}

TEST_CASE("^C on a terminal ends no pct in its middle: the step that runs is finished, and then led back") {
  Ready ready;
  const auto calls_that_came_back = [&] {
    const std::string log = ready.bench.host.mock("log").out;
    const std::string call = "systemctl disable --now llamacpp.service  -> 0";
    int count = 0;
    for (auto at = log.find(call); at != std::string::npos; at = log.find(call, at + 1)) ++count;
    return count;
  };
  const int before = calls_that_came_back();
  ready.bench.host.mock("set", {"unit", "120/llamacpp.service", "stop", "ignores-term"});
  // A process group of its own, as a shell makes one; the terminal sends its ^C to all of it.
  const auto running = ready.bench.begin("to-qwen38fn", {}, {"/usr/bin/setsid"});
  REQUIRE(eventually([&] { return unit_stops(ready.bench); }));
  REQUIRE(::kill(-running->pid(), SIGINT) == 0);
  REQUIRE(eventually([&] { return running->ended(); }, 60s));
  check_came_back(ready, running->end(), "SIGINT");
  CHECK(calls_that_came_back() == before + 1);
}

TEST_CASE("SIGTERM with --on-failure hold holds where nothing is unsafe (exit 5), and recover goes back") {
  Ready ready;
  ready.bench.host.mock("set", {"unit", kLarge, "load-ms", "3600000"});
  const auto running = ready.bench.begin("to-qwen38fn", {"--on-failure", "hold"});
  REQUIRE(eventually([&] { return ready.bench.step() == "see-serving"; }));
  running->signal(SIGTERM);
  REQUIRE(eventually([&] { return running->ended(); }));
  CHECK(running->end() == 5);
  CHECK(ready.bench.said().at("result") == "held");
  CHECK(ready.bench.breaches() == "");
  CHECK(ready.bench.result() == "open");
  const Ran recovered = ready.bench.host.cli({"recover", "--yes"});
  INFO(recovered.out << recovered.err);
  CHECK(recovered.exit == 0);
  ready.check_home();
}

TEST_CASE("stopped for longer than each of its deadlines a cutover that is continued ends safely") {
  constexpr auto kDeadline = 2s;
  const int steps = GENERATE(1, 3, 6, 11, 16);
  Ready ready({{"command", "2s"}, {"stop", "2s"}, {"start", "2s"}, {"serve", "2s"}});
  const auto running = ready.bench.begin("to-qwen38fn");
  REQUIRE(eventually([&] { return running->ended() || ready.bench.records("intent") >= steps; }));
  running->signal(SIGSTOP);
  INFO("stopped in " << ready.bench.step());
  const auto stopped = now();
  REQUIRE(eventually([&] { return now() > stopped + kDeadline + 500ms; }));
  running->signal(SIGCONT);
  REQUIRE(eventually([&] { return running->ended(); }, 60s));
  const json said = ready.bench.said();
  INFO(said.dump(2));
  const std::string result = said.at("result");
  CHECK((result == "done" || result == "rolled-back"));
  CHECK(ready.bench.breaches() == "");
  CHECK(ready.bench.picture() == (result == "done" ? ready.far : ready.near));
  CHECK(ready.bench.result() == result);
}

TEST_CASE(
    "of two cutovers that begin at once in opposite directions one is done, the other is busy (exit 6)") {
  Ready ready;
  std::string policy = ready.bench.host.read("/etc/gpu-interlock/policy.yaml");
  policy +=
      "\n  to-nothing:\n    120: { state: stopped, cards: [] }\n    123: { state: stopped, cards: [] }\n";
  // Whoever is first is at it for so long that the other one, however late it starts, finds it at work.
  const std::string quick = "settle: 50ms";
  policy.replace(policy.find(quick), quick.size(), "settle: 8s");
  ready.bench.host.write("/etc/gpu-interlock/policy.yaml", policy);
  REQUIRE(ready.bench.cut_over("to-nothing").exit == 0);  // from here both have something to do
  const bool large_first = GENERATE(true, false);
  const std::string names[] = {large_first ? "to-qwen38fn" : "to-qwen36",
                               large_first ? "to-qwen36" : "to-qwen38fn"};
  const std::string out[] = {ready.bench.host.root() + "/../one", ready.bench.host.root() + "/../other"};
  int exits[2] = {-1, -1};
  {
    Running one(ready.bench.command(names[0]), out[0], out[0] + ".err");
    Running other(ready.bench.command(names[1]), out[1], out[1] + ".err");
    REQUIRE(eventually([&] { return one.ended() && other.ended(); }, 60s));
    exits[0] = one.end();
    exits[1] = other.end();
  }
  INFO(content_of(out[0]) << content_of(out[1]));
  const int winner = exits[0] == 0 ? 0 : 1;
  CHECK(exits[winner] == 0);
  CHECK(exits[1 - winner] == 6);
  CHECK(json::parse(content_of(out[winner])).at("result") == "done");
  CHECK(json::parse(content_of(out[1 - winner])).at("result") == "busy");
  CHECK(ready.bench.breaches() == "");
  CHECK(ready.bench.picture() == (names[winner] == "to-qwen36" ? ready.near : ready.far));
  CHECK(ready.bench.violations() == "");
}
