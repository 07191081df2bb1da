// gpu-interlockd's own life, on a mocked host: how it starts, ends, is killed and comes back (design, section
// 4).
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/inotify.h>

#include <csignal>
#include <filesystem>
#include <sstream>

#include "catch.h"
#include "guard_bench.h"

using namespace interlock::tests;
using namespace std::chrono_literals;

namespace {

const std::string kGpu1 = "0000:03:00.0";
const std::string kGpu2 = "0000:83:00.0";
const std::string kPolicy = "/etc/gpu-interlock/policy.yaml";

std::chrono::milliseconds time_of(const std::function<void()>& what) {
  const auto begin = std::chrono::steady_clock::now();
  what();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
}

/// A start that must fail, and say why exactly once.
std::string failed_start(GuardBench& bench) {
  auto daemon = bench.start();
  REQUIRE(eventually([&] { return daemon->ended(); }));
  CHECK(daemon->end() == 1);
  return bench.log();
}

/// The scheduling class of a process, as /proc/PID/stat tells it (proc(5), field 41).
int scheduling_policy(pid_t pid) {
  const std::string stat = content_of("/proc/" + std::to_string(pid) + "/stat");
  if (stat.empty()) return -1;  // it has ended
  std::istringstream fields(stat.substr(stat.rfind(')') + 2));
  std::string field;
  for (int number = 3; number <= 41; ++number) fields >> field;
  return std::stoi(field);
}

}  // namespace

TEST_CASE(
    "guard and readers run before all that is ordinary; what they start does not (design, section 10)") {
  GuardBench bench;
  bench.host.write("/usr/local/sbin/tell",
                   "#!/bin/sh\ncut -d' ' -f41 /proc/self/stat >>" + bench.host.path("/tmp/class") + "\n");
  std::filesystem::permissions(bench.host.path("/usr/local/sbin/tell"), std::filesystem::perms::owner_all);
  std::string policy = bench.host.read(kPolicy);
  policy.insert(policy.find("guard:\n") + 7, "  notify: [[\"/usr/local/sbin/tell\"]]\n");
  bench.host.write(kPolicy, policy);
  const auto daemon = bench.start_and_wait();
  CHECK(scheduling_policy(daemon->pid()) == SCHED_RR);
  for (const std::string& card : {kGpu1, kGpu2}) {
    // One that is late in its first second is replaced.
    CHECK(eventually([&] {
      const auto reader = bench.reader(daemon->pid(), card);
      return reader && scheduling_policy(*reader) == SCHED_RR;
    }));
  }
  bench.host.mock("heat", {"gpu1", "98", "80"});
  REQUIRE(eventually([&] { return !content_of(bench.host.path("/tmp/class")).empty(); }));
  CHECK(content_of(bench.host.path("/tmp/class")).starts_with(std::to_string(SCHED_OTHER) + "\n"));
}

TEST_CASE("READY=1 comes only when every card was judged, and the watchdog is fed") {
  GuardBench bench;
  NotifySocket notify;
  auto daemon = bench.start({"NOTIFY_SOCKET=" + notify.path(), "WATCHDOG_USEC=400000"});
  REQUIRE(eventually([&] { return notify.count("READY=1") > 0; }));
  CHECK(bench.state("gpu1") == "guarding");
  CHECK(bench.state("gpu2") == "guarding");
  CHECK(notify.heard().find("STATUS=gpu1 guarding, gpu2 guarding") != std::string::npos);
  CHECK(eventually([&] { return notify.count("WATCHDOG=1") >= 3; }));
  CHECK(notify.count("READY=1") == 1);

  bench.host.mock("heat", {"gpu1", "98", "80"});
  CHECK(eventually([&] { return notify.heard().find("STATUS=gpu1 warning") != std::string::npos; }));
  daemon->end();
  CHECK(notify.count("STOPPING=1") == 1);
}

TEST_CASE("a service manager that does not listen is not waited for") {
  GuardBench bench;
  NotifySocket notify;  // nobody reads it: its queue fills up
  auto daemon = bench.start_and_wait({"NOTIFY_SOCKET=" + notify.path(), "WATCHDOG_USEC=2000"});
  const auto judged_at = bench.report().at("judged_at_ns").get<std::int64_t>();
  CHECK(eventually(
      [&] { return bench.report().at("judged_at_ns").get<std::int64_t>() > judged_at + 2'000'000'000; }));
  bench.host.mock("heat", {"gpu1", "103", "90"});
  CHECK(bench.becomes("gpu1", "latched"));
}

TEST_CASE("SIGTERM ends it within a second, a hung reader included") {
  GuardBench bench;
  auto daemon = bench.start_and_wait();
  const auto reader = bench.reader(daemon->pid(), kGpu1);
  REQUIRE(reader);
  REQUIRE(::kill(*reader, SIGSTOP) == 0);
  int code = -1;
  CHECK(time_of([&] { code = daemon->end(10s); }) < 1s);
  CHECK(code == 0);
  CHECK(bench.report().at("fresh") == false);
}

TEST_CASE("a reader ends with its daemon, however that ends") {
  GuardBench bench;
  auto daemon = bench.start_and_wait();
  const pid_t pid = daemon->pid();
  const auto reader = bench.reader(pid, kGpu2);
  REQUIRE(reader);
  daemon->signal(SIGKILL);
  CHECK(eventually([&] { return daemon->ended(); }));
  CHECK(eventually([&] { return !std::filesystem::exists("/proc/" + std::to_string(*reader) + "/exe"); }));
}

TEST_CASE("a second copy is a failed start, and the first goes on") {
  GuardBench bench;
  auto daemon = bench.start_and_wait();
  CHECK(failed_start(bench).find("another gpu-interlockd runs already") != std::string::npos);
  CHECK_FALSE(daemon->ended());
  CHECK(bench.host.guard_is_fresh());
}

TEST_CASE(
    "a lock that is let go a moment later, by who asked or by a killed guard's child, is no second copy") {
  GuardBench bench;
  const std::string lock = bench.host.path("/run/gpu-interlock/guard.lock");
  bench.host.write("/run/gpu-interlock/guard.lock", "");
  std::optional<interlock::Fd> other(std::in_place, ::open(lock.c_str(), O_RDONLY | O_CLOEXEC));
  REQUIRE(::flock(other->get(), LOCK_SH) == 0);
  const interlock::Fd seen(::inotify_init1(IN_CLOEXEC));
  REQUIRE(::inotify_add_watch(seen.get(), lock.c_str(), IN_CLOSE_WRITE) >= 0);
  auto daemon = bench.start();
  pollfd closed{.fd = seen.get(), .events = POLLIN, .revents = 0};
  REQUIRE(::poll(&closed, 1, 30'000) == 1);  // it has tried, and not got it
  other.reset();
  CHECK(
      eventually([&] { return daemon->ended() || bench.log().find("guard-started") != std::string::npos; }));
  CHECK_FALSE(daemon->ended());
}

TEST_CASE("a policy error is a failed start with its place, never a quiet exit 0") {
  GuardBench bench;
  const std::string policy = bench.host.read(kPolicy);
  bench.host.write(kPolicy, policy + "\nsurprise: 1\n");
  const std::string log = failed_start(bench);
  CHECK(log.find(kPolicy + ":") != std::string::npos);
  CHECK(log.find("surprise") != std::string::npos);

  SECTION("no policy at all is one too") {
    bench.host.remove(kPolicy);
    CHECK(failed_start(bench).find(kPolicy) != std::string::npos);
  }
}

TEST_CASE("where an earlier policy was good, its copy guards until the file is mended (design, section 4)") {
  GuardBench bench;
  bench.start_and_wait()->end();
  bench.host.write(kPolicy, "version: 1\ncards: {\n");
  auto daemon = bench.start_and_wait();
  CHECK(bench.becomes("gpu1", "guarding"));
  CHECK(bench.log().find("policy-broken") != std::string::npos);
  bench.host.mock("heat", {"gpu2", "103", "90"});
  CHECK(bench.becomes("gpu2", "latched"));
}

TEST_CASE("none of the policy's cards in the machine is a failed start; one of two missing is not") {
  GuardBench bench;
  bench.host.mock("set",
                  {"container", "123", "stopped"});  // a card that somebody has open is blind, not absent
  bench.host.mock("set", {"card", "gpu2", "present", "no"});
  SECTION("one") {
    auto daemon = bench.start_and_wait();
    CHECK(bench.becomes("gpu2", "absent"));
    CHECK(bench.becomes("gpu1", "guarding"));
  }
  SECTION("both") {
    bench.host.mock("set", {"card", "gpu1", "present", "no"});
    CHECK(failed_start(bench).find("none of its cards is in this machine") != std::string::npos);
  }
}

TEST_CASE("SIGHUP takes a new policy whole, or not at all") {
  GuardBench bench;
  auto daemon = bench.start_and_wait();
  const std::string policy = bench.host.read(kPolicy);
  const std::string limits = "junction: { warn: 95, trip: 102, resume: 85 }";
  const auto at = policy.find(limits);
  REQUIRE(at != std::string::npos);
  std::string stricter = policy;
  stricter.replace(at, limits.size(), "junction: { warn: 60, trip: 70, resume: 50 }");

  SECTION("a good one is in force at once") {
    bench.host.write(kPolicy, stricter);
    daemon->signal(SIGHUP);
    REQUIRE(eventually([&] { return bench.log().find("policy-reloaded") != std::string::npos; }));
    bench.host.mock("heat", {"gpu1", "72", "50"});
    CHECK(bench.becomes("gpu1", "latched"));
  }
  SECTION("a broken one changes nothing") {
    bench.host.write(kPolicy, stricter + "\nsurprise: 1\n");
    daemon->signal(SIGHUP);
    REQUIRE(eventually([&] { return bench.log().find("policy-refused") != std::string::npos; }));
    bench.host.mock("heat", {"gpu1", "72", "50"});
    CHECK(eventually([&] {
      return bench.report().at("cards").at("gpu1").at("channels").at("junction").value("millidegrees", 0) ==
             72'000;
    }));
    CHECK(bench.state("gpu1") == "guarding");
  }
}
