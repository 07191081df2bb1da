// kill -9 of the guard in the middle of each rung of a shed: the next one goes on, the card ends empty, and
// nothing stays frozen (design, section 4).
#include <csignal>
#include <filesystem>

#include "catch.h"
#include "guard_bench.h"

using namespace interlock::tests;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<Running> kernel(const MockedHost& host) {
  return std::make_unique<Running>(Words{"mock-host", "serve", host.root()}, host.path("/tmp/serve.log"));
}

struct Moment {
  std::string rung;
  std::map<std::string, std::string> faults;  // the Nth pct call, and what goes wrong with it
  bool kernel = true;                         // cgroup.freeze and cgroup.kill do something
  std::string logged;                         // when this is in the guard's log ...
  std::string called;                         // ... or this among the pct calls, or else something frozen
};

const std::vector<Moment> kMoments = {
    {"freeze", {{"1", "hang"}}, true, "", ""},
    {"stop-unit", {{"1", "no-effect"}}, true, "its systemd has taken the stop", ""},
    {"kill", {{"1", "no-effect"}}, false, "120/llamacpp.service: killed whole", ""},
    {"stop-container", {{"1", "no-effect"}, {"2", "hang"}}, false, "", "pct stop 120"},
    {"kill-container", {{"1", "no-effect"}, {"2", "no-effect"}}, false, "120: killed whole", ""},
};

void shorten_the_rungs(const MockedHost& host) {
  std::string policy = host.read("/etc/gpu-interlock/policy.yaml");
  const std::string usual = "stop: 20s, kill: 5s, container: 40s";
  const auto place = policy.find(usual);
  REQUIRE(place != std::string::npos);
  policy.replace(place, usual.size(), "stop: 3s, kill: 2s, container: 4s");
  host.write("/etc/gpu-interlock/policy.yaml", policy);
}

bool has_come(const GuardBench& bench, const Moment& moment) {
  if (!moment.logged.empty()) return bench.log().find(moment.logged) != std::string::npos;
  if (!moment.called.empty()) return bench.host.mock("log").out.find(moment.called) != std::string::npos;
  return bench.frozen_anything();
}

}  // namespace

TEST_CASE("killed in the middle of any rung: the card ends empty and nothing stays frozen") {
  for (const Moment& moment : kMoments) {
    INFO("killed in the rung " << moment.rung);
    GuardBench bench;
    shorten_the_rungs(bench.host);
    std::unique_ptr<Running> acts;
    if (moment.kernel) acts = kernel(bench.host);
    auto daemon = bench.start_and_wait();
    for (const auto& [call, fault] : moment.faults) bench.host.mock("fault", {call, fault});
    bench.host.mock("heat", {"gpu1", "103", "90"});
    REQUIRE(eventually([&] { return has_come(bench, moment); }, 60s));
    daemon->signal(SIGKILL);
    REQUIRE(eventually([&] { return daemon->ended(); }));

    if (!acts) acts = kernel(bench.host);
    daemon = bench.start_and_wait();
    CHECK(eventually([&] { return bench.holders("gpu1").empty(); }, 90s));
    CHECK(bench.becomes("gpu1", "latched", 90s));
    CHECK(eventually([&] { return !bench.frozen_anything(); }));
    CHECK(bench.becomes("gpu2", "guarding"));
  }
}
