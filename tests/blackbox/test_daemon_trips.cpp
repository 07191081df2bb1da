// Trips of the real gpu-interlockd on a mocked host: hot, blind, hung, killed in between (design, section 4).
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <sstream>

#include "catch.h"
#include "guard_bench.h"

using namespace interlock::tests;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

const std::string kGpu1 = "0000:03:00.0";
const std::string kGpu2 = "0000:83:00.0";
const std::string kPolicy = "/etc/gpu-interlock/policy.yaml";

/// Carries out cgroup.kill and cgroup.freeze, as the kernel would.
std::unique_ptr<Running> kernel(const MockedHost& host) {
  return std::make_unique<Running>(Words{"mock-host", "serve", host.root()}, host.path("/tmp/serve.log"));
}

/// With keys put into the policy's `guard:` section.
void add_to_guard(const MockedHost& host, const std::string& lines) {
  std::string policy = host.read(kPolicy);
  const std::string before = "guard:\n";
  policy.insert(policy.find(before) + before.size(), lines);
  host.write(kPolicy, policy);
}

}  // namespace

TEST_CASE("a hot card is shed, latched and empty, and the other one works on") {
  GuardBench bench;
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  bench.host.mock("heat", {"gpu1", "103", "90"});
  REQUIRE(bench.becomes("gpu1", "latched"));
  CHECK(bench.report().at("cards").at("gpu1").at("reason").get<std::string>().find("junction 103.0 C") !=
        std::string::npos);
  CHECK(bench.holders("gpu1").empty());
  CHECK(bench.holders("gpu2").size() == 1);
  CHECK(bench.state("gpu2") == "guarding");
  CHECK(eventually(
      [&] { return std::filesystem::exists(bench.host.path("/var/lib/gpu-interlock/latches/" + kGpu1)); }));
  CHECK_FALSE(bench.frozen_anything());
}

TEST_CASE("one glitch never trips: a single sample of 511 C, a read that fails once (T08)") {
  GuardBench bench;
  auto daemon = bench.start_and_wait();
  bench.host.mock("set", {"card", "gpu1", "sensor", "junction", "text", "511000\n"});
  CHECK(bench.becomes("gpu1", "blind"));
  bench.host.mock("set", {"card", "gpu1", "sensor", "junction", "normal"});
  CHECK(bench.becomes("gpu1", "guarding"));
  CHECK(bench.log().find("card-tripped") == std::string::npos);
}

TEST_CASE("a card in use whose sensor is gone trips for blindness within its grace (two-v620 failure 5)") {
  GuardBench bench;
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  bench.host.mock("set", {"card", "gpu1", "sensor", "memory", "missing"});
  REQUIRE(bench.becomes("gpu1", "latched"));
  CHECK(bench.log().find("memory without a believable reading") != std::string::npos);
  CHECK(bench.holders("gpu1").empty());
  CHECK(bench.state("gpu2") == "guarding");
}

TEST_CASE("a sensor file that is no file any more, but a pipe that nobody writes to, hangs nothing") {
  GuardBench bench;
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  for (const auto& entry :
       std::filesystem::directory_iterator(bench.host.path("/sys/bus/pci/devices/" + kGpu1 + "/hwmon"))) {
    const auto input = entry.path() / "temp2_input";
    std::filesystem::remove(input);
    REQUIRE(::mkfifo(input.c_str(), 0600) == 0);
  }
  bench.host.mock("heat", {"gpu2", "103", "90"});
  CHECK(bench.becomes("gpu2", "latched"));
  CHECK(bench.becomes("gpu1", "latched"));
}

TEST_CASE("one card's reader hangs: the other card trips as if nothing were") {
  GuardBench bench;
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  const auto hung = bench.reader(daemon->pid(), kGpu1);
  REQUIRE(hung);
  REQUIRE(::kill(*hung, SIGSTOP) == 0);
  bench.host.mock("heat", {"gpu2", "103", "90"});
  CHECK(bench.becomes("gpu2", "latched"));
  // The hung one was replaced, and its card is seen again.
  CHECK(eventually([&] { return bench.reader(daemon->pid(), kGpu1).value_or(*hung) != *hung; }));
  CHECK(bench.becomes("gpu1", "guarding"));
  CHECK(bench.log().find("reader-replaced") != std::string::npos);
}

TEST_CASE("a pct that never answers on one card does not delay the other card") {
  GuardBench bench;
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  bench.host.mock("fault", {"1", "hang"});
  bench.host.mock("heat", {"gpu1", "103", "90"});
  REQUIRE(eventually([&] { return bench.log().find("card-tripped: gpu1") != std::string::npos; }));
  bench.host.mock("heat", {"gpu2", "103", "90"});
  CHECK(bench.becomes("gpu2", "latched", 10s));
  CHECK(bench.becomes("gpu1", "latched", 60s));
  CHECK(bench.holders("gpu1").empty());
}

TEST_CASE("a benchmark started by hand, in no unit, is found and shed (two-v620 failure 9)") {
  GuardBench bench;
  const auto acts = kernel(bench.host);
  bench.host.mock("run", {"120", "llama-bench", "--memory", "9000", "--busy", "90"});
  auto daemon = bench.start_and_wait();
  REQUIRE(bench.holders("gpu1").size() == 2);
  bench.host.mock("heat", {"gpu1", "103", "90"});
  CHECK(bench.becomes("gpu1", "latched", 60s));
  CHECK(bench.holders("gpu1").empty());
}

TEST_CASE("a policy that names a service which is gone sheds who is really there (two-v620 failure 1)") {
  GuardBench bench;
  std::string policy = bench.host.read(kPolicy);
  const std::string unit = "llamacpp-qwen38fn.service";
  for (const std::string& key : {"    units: [" + unit, "      cards: [gpu2]\n      serve: " + unit}) {
    const auto place = policy.find(key);
    REQUIRE(place != std::string::npos);
    policy.replace(place + key.size() - unit.size(), unit.size(), "removed-long-ago.service");
  }
  bench.host.write(kPolicy, policy);
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  REQUIRE(bench.holders("gpu2").size() == 1);
  bench.host.mock("heat", {"gpu2", "103", "90"});
  CHECK(bench.becomes("gpu2", "latched", 60s));
  CHECK(bench.holders("gpu2").empty());
}

TEST_CASE("whoever takes a latched card is shed at once, and again, and then with its container (11.10)") {
  GuardBench bench;
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  bench.host.mock("heat", {"gpu1", "103", "90"});
  REQUIRE(bench.becomes("gpu1", "latched"));
  for (int refill = 1; refill <= 3; ++refill) {
    INFO("refill " << refill);
    bench.host.mock("set", {"unit", "120/llamacpp.service", "active"});
    CHECK(bench.becomes("gpu1", "tripped"));
    CHECK(bench.becomes("gpu1", "latched", 60s));
    CHECK(bench.holders("gpu1").empty());
  }
  const json status = bench.host.cli({"status"}).json();
  CHECK(one_of(status.at("containers"), "vmid", 120).at("state") == "stopped");
}

TEST_CASE("a latch outlives the daemon, the boot, and damage to its file") {
  GuardBench bench;
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  bench.host.mock("heat", {"gpu1", "103", "90"});
  REQUIRE(bench.becomes("gpu1", "latched"));
  const std::string latch = "/var/lib/gpu-interlock/latches/" + kGpu1;
  REQUIRE(eventually([&] { return std::filesystem::exists(bench.host.path(latch)); }));
  bench.host.mock("heat", {"gpu1", "50", "50"});
  daemon->signal(SIGKILL);
  REQUIRE(eventually([&] { return daemon->ended(); }));

  SECTION("kill -9 and a start") {}
  SECTION("a boot of the host") {
    bench.host.mock("boot");
  }
  SECTION("a damaged file") {
    bench.host.write(latch, "half a la");
  }
  daemon = bench.start_and_wait();
  CHECK(bench.becomes("gpu1", "latched", 60s));
  CHECK(eventually([&] { return bench.holders("gpu1").empty(); }));
  CHECK(bench.becomes("gpu2", "guarding"));
}

TEST_CASE("a running grace is not begun anew by a restart of the daemon") {
  GuardBench bench;
  std::string policy = bench.host.read(kPolicy);
  const auto grace = policy.find("blind_grace: 2s");
  REQUIRE(grace != std::string::npos);
  policy.replace(grace, 15, "blind_grace: 6s");
  bench.host.write(kPolicy, policy);
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  bench.host.mock("set", {"card", "gpu1", "sensor", "junction", "error"});
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(bench.becomes("gpu1", "blind"));
  while (std::chrono::steady_clock::now() - begin < 5s) {
    daemon->signal(SIGKILL);
    REQUIRE(eventually([&] { return daemon->ended(); }));
    daemon = bench.start_and_wait();
    REQUIRE(eventually([&] { return bench.state("gpu1") != "guarding"; }));
  }
  CHECK(bench.becomes("gpu1", "latched", 20s));
  CHECK(std::chrono::steady_clock::now() - begin < 11s);
}

TEST_CASE("with until-cool the card comes back by itself, and so does what was shed") {
  GuardBench bench;
  std::string policy = bench.host.read(kPolicy);
  const auto latch = policy.find("latch: until-reset");
  REQUIRE(latch != std::string::npos);
  policy.replace(latch, 18, "latch: until-cool ");
  bench.host.write(kPolicy, policy);
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  bench.host.mock("heat", {"gpu1", "103", "90"});
  REQUIRE(bench.becomes("gpu1", "latched"));
  bench.host.mock("heat", {"gpu1", "60", "60"});
  CHECK(bench.becomes("gpu1", "guarding"));
  CHECK(eventually([&] { return !bench.holders("gpu1").empty(); }));
  CHECK(bench.holders("gpu1").at(0).at("unit") == "llamacpp.service");
  CHECK_FALSE(std::filesystem::exists(bench.host.path("/var/lib/gpu-interlock/latches/" + kGpu1)));
}

TEST_CASE("notify commands get the event as JSON, and a hung one is in nobody's way") {
  GuardBench bench;
  const std::string told = bench.host.path("/tmp/told");
  bench.host.write("/usr/local/sbin/tell-me", "#!/bin/sh\ncat >>" + told + "\n");
  bench.host.write("/usr/local/sbin/hang", "#!/bin/sh\nexec sleep 1000\n");
  for (const std::string name : {"tell-me", "hang"}) {
    std::filesystem::permissions(bench.host.path("/usr/local/sbin/" + name),
                                 std::filesystem::perms::owner_all);
  }
  add_to_guard(bench.host, "  notify: [[\"/usr/local/sbin/hang\"], [\"/usr/local/sbin/tell-me\"]]\n");
  const auto acts = kernel(bench.host);
  auto daemon = bench.start_and_wait();
  bench.host.mock("heat", {"gpu1", "103", "90"});
  REQUIRE(bench.becomes("gpu1", "latched"));
  std::optional<json> trip;
  REQUIRE(eventually([&] {
    if (!std::filesystem::exists(told)) return false;
    std::istringstream lines(bench.host.read("/tmp/told"));
    for (std::string line; std::getline(lines, line);) {
      const json event = json::parse(line, nullptr, false);
      if (!event.is_discarded() && event.at("event") == "card-tripped") trip = event;
    }
    return trip.has_value();
  }));
  CHECK(trip->at("card") == "gpu1");
  CHECK(trip->at("reason") == "over-temperature");
  CHECK(trip->at("celsius") == 103.0);
  const auto reaction =
      trip->at("first_rung_at_ns").get<std::int64_t>() - trip->at("sample_at_ns").get<std::int64_t>();
  CHECK(reaction > 0);
}
