// The budgets of the design (section 10) that the running guard has, measured on the real programs and a
// mocked host.
//   bench_guard [TRIPS]   200 trips without a number: twenty minutes
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "bare_guard.h"
#include "base/text.h"
#include "blackbox/guard_bench.h"
#include "processors.h"

namespace {

using namespace interlock::tests;
using namespace std::chrono_literals;
using nlohmann::json;

const std::string kPolicy = "/etc/gpu-interlock/policy.yaml";

void insist(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// A notify command of the policy that keeps what it is told.
void keep_events(const MockedHost& host) {
  host.write("/usr/local/sbin/keep",
             "#!/bin/sh\nread -r line && echo \"$line\" >>" + host.path("/tmp/told") + "\n");
  std::filesystem::permissions(host.path("/usr/local/sbin/keep"), std::filesystem::perms::owner_all);
  std::string policy = host.read(kPolicy);
  const std::string before = "guard:\n";
  policy.insert(policy.find(before) + before.size(), "  notify: [[\"/usr/local/sbin/keep\"]]\n");
  host.write(kPolicy, policy);
}

std::vector<double> reactions_in_us(const MockedHost& host) {
  std::vector<double> all;
  std::istringstream lines(host.read("/tmp/told"));
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line);
    if (event.at("event") != "card-tripped" || !event.contains("first_rung_at_ns")) continue;
    all.push_back(static_cast<double>(event.at("first_rung_at_ns").get<std::int64_t>() -
                                      event.at("sample_at_ns").get<std::int64_t>()) /
                  1000.0);
  }
  return all;
}

void one_trip(GuardBench& bench) {
  bench.host.mock("heat", {"gpu1", "103", "90"});
  insist(bench.becomes("gpu1", "latched"), "gpu1 did not latch");
  bench.host.mock("heat", {"gpu1", "60", "58"});
  insist(eventually([&] { return bench.host.cli({"reset", "gpu1"}).exit == 0; }), "gpu1 was not reset");
  bench.host.mock("set", {"unit", "120/llamacpp.service", "active"});
  insist(bench.becomes("gpu1", "guarding"), "gpu1 is not guarded");
  std::this_thread::sleep_for(
      2500ms);  // holders are looked for every two seconds: the first rung is to know them
}

/// What the scheduler counted for a process till now.
double cpu_seconds(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/schedstat");
  double ns = 0;
  insist(static_cast<bool>(in >> ns), "the kernel counts no processor time (CONFIG_SCHED_INFO)");
  return ns / 1e9;
}

double anonymous_mib(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("RssAnon:"))
      return static_cast<double>(interlock::parse_number<long>(interlock::words(line).at(1)).value()) /
             1024.0;
  }
  throw std::runtime_error("no RssAnon");
}

/// The daemon, its readers, and those who look for holders.
std::vector<pid_t> guard_and_helpers(const Running& daemon) {
  std::vector<pid_t> all{daemon.pid()};
  const std::string parent = "\nPPid:\t" + std::to_string(daemon.pid()) + "\n";
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto pid = interlock::parse_number<pid_t>(entry.path().filename().string());
    if (pid && content_of(entry.path() / "status").contains(parent)) all.push_back(*pid);
  }
  return all;
}

double share_of_a_core(const std::vector<pid_t>& processes, std::chrono::seconds watched) {
  const auto used = [&] {
    double sum = 0;
    for (const pid_t pid : processes) sum += cpu_seconds(pid);
    return sum;
  };
  const double before = used();
  std::this_thread::sleep_for(watched);
  return 100.0 * (used() - before) / std::chrono::duration<double>(watched).count();
}

void measure_idle(GuardBench& bench, const Running& daemon) {
  constexpr auto kWatched = 60s;
  const auto processes = guard_and_helpers(daemon);
  insist(processes.size() == 5, "a reader or a helper is missing");
  const double share = share_of_a_core(processes, kWatched);
  insist(guard_and_helpers(daemon) == processes, "a helper ended, and what it took is not counted");
  double memory = 0;
  for (const pid_t pid : processes) memory += anonymous_mib(pid);

  std::vector<std::vector<std::string>> files;
  for (const char* pci : {"0000:03:00.0", "0000:83:00.0"}) {
    const std::string card = bench.host.path("/sys/bus/pci/devices/") + pci;
    const std::string hwmon = std::filesystem::directory_iterator(card + "/hwmon")->path().string();
    files.push_back({hwmon + "/temp2_input", hwmon + "/temp3_input", hwmon + "/temp2_label",
                     card + "/power/runtime_status"});
  }
  const BareGuard bare(files);
  const double limit = share_of_a_core(bare.processes(), kWatched);
  std::cout << fmt::format(
                   "idle, two cards: {:.2f} % of a core (budget 0.3 %); three processes that ask, read four "
                   "files and answer at the same pace, and do nothing else: {:.2f} %\n",
                   share, limit)
            << fmt::format("idle, two cards: {:.1f} MiB of private memory (budget 8 MiB)\n", memory);
}

void measure_restart(GuardBench& bench, std::unique_ptr<Running>& daemon) {
  daemon->signal(SIGKILL);
  insist(eventually([&] { return daemon->ended(); }), "the guard did not end");
  const auto begin = std::chrono::steady_clock::now();
  daemon = bench.start_and_wait();
  std::cout << fmt::format("killed and started again: watching after {} ms (budget 1000 ms)\n",
                           (std::chrono::steady_clock::now() - begin) / 1ms);
}

void print_times(const std::string& what, std::vector<double> us, const std::string& beside) {
  std::ranges::sort(us);
  std::cout << fmt::format(
      "{}, {} times: median {:.0f} us, 99 of 100 within {:.0f} us, maximum {:.0f} us{}\n", what, us.size(),
      us[us.size() / 2], us[(us.size() - 1) * 99 / 100], us.back(), beside);
}

/// `trips` of them, and what they took, said as `what`; beside it what one bare waking took in that time.
void measure_trips(GuardBench& bench, int trips, const std::string& what) {
  bench.host.remove("/tmp/told");
  const BareWakings bare;
  for (int trip = 0; trip < trips; ++trip) one_trip(bench);
  std::vector<double> reactions;
  insist(eventually([&] {
           reactions = reactions_in_us(bench.host);
           return reactions.size() >= static_cast<std::size_t>(trips);
         }),
         "a trip was not told");
  print_times("from the sample at trip to the first rung, " + what, reactions, " (budget 2000 us)");
  const auto wakings = bare.so_far();
  insist(!wakings.empty(), "no bare waking was measured");
  print_times("  in that time one bare waking of a process of the guard's priority", wakings, "");
}

/// So many processes that never rest, two for each processor.
class Load {
 public:
  Load() {
    for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
      spinning_.push_back(
          std::make_unique<Running>(Words{"/bin/sh", "-c", "while :; do :; done"}, "/dev/null"));
  }

 private:
  std::vector<std::unique_ptr<Running>> spinning_;
};

void measure_all(int trips) {
  std::cout << std::unitbuf;  // it takes long: each figure when it is there
  // In memory, as /sys, /proc and /run of a real host are.
  if (std::filesystem::is_directory("/dev/shm")) ::setenv("TMPDIR", "/dev/shm", 0);
  GuardBench bench;
  keep_events(bench.host);
  // Whose sensors stood still for a minute would not be at rest, but blind.
  const Running kernel({"mock-host", "serve", bench.host.root(), "--for", "36000"},
                       bench.host.path("/tmp/serve.log"));
  auto daemon = bench.start_and_wait();
  measure_idle(bench, *daemon);
  for (const char* card : {"gpu1", "gpu2"})
    insist(bench.state(card) == "guarding", "the cards were not at rest");
  measure_restart(bench, daemon);
  measure_trips(bench, trips / 4, "processors that may rest");
  {
    const KeptAwake awake;
    measure_trips(bench, trips, "processors kept awake");
  }
  const Load load;
  measure_trips(bench, trips / 4, "two busy processes for each processor");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    measure_all(argc > 1 ? interlock::parse_number<int>(argv[1]).value() : 200);
    return 0;
  } catch (const std::exception& error) {  // caught, so that what was started is ended
    std::cerr << "bench_guard: " << error.what() << '\n';
    return 1;
  }
}
