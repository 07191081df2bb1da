// The guard while a read of one card hangs in the kernel (design, section 4; amdgpu.md 1.7).
#include <csignal>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "catch.h"
#include "guard_bench.h"
#include "hung_file.h"

using namespace interlock::tests;
using namespace std::chrono_literals;

namespace {

const std::string kGpu1 = "0000:03:00.0";
const std::string kJunction1 = "/sys/devices/pci0000:00/0000:03:00.0/hwmon/hwmon2/temp2_input";

char state_of(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto end = text.rfind(") ");
  return end == std::string::npos ? '-' : text[end + 2];
}

}  // namespace

TEST_CASE("a read that sits in the kernel cannot be killed: its card trips as blind, the other one as hot") {
  GuardBench bench;
  std::unique_ptr<HungFile> hung;
  try {
    hung = std::make_unique<HungFile>(bench.host.path(kJunction1), "42000\n");
  } catch (const std::runtime_error& error) {
    WARN("LEFT OUT on this machine: " << error.what());
    return;
  }
  HungFile& junction = *hung;
  const Running kernel({"mock-host", "serve", bench.host.root()}, bench.host.path("/tmp/serve.log"));
  NotifySocket notify;
  auto daemon = bench.start_and_wait({"NOTIFY_SOCKET=" + notify.path()});
  const auto reader = bench.reader(daemon->pid(), kGpu1);
  REQUIRE(reader);
  junction.hang();
  REQUIRE(eventually([&] { return junction.hung() > 0; }));
  CHECK(eventually([&] { return state_of(*reader) == 'D'; }));

  bench.host.mock("heat", {"gpu2", "103", "90"});
  CHECK(bench.becomes("gpu2", "latched"));
  CHECK(bench.becomes("gpu1", "latched"));
  CHECK(bench.log().find("junction without a believable reading") != std::string::npos);
  CHECK(bench.holders("gpu2").empty());

  // Killed in that moment: the next one watches, whatever still hangs.
  daemon->signal(SIGKILL);
  REQUIRE(eventually([&] { return daemon->ended(); }));
  const auto begin = std::chrono::steady_clock::now();
  daemon = bench.start_and_wait();
  const auto back = std::chrono::steady_clock::now() - begin;
  WARN("back and watching after " << back / 1ms << " ms");
  CHECK(back < 5s);  // a second on a quiet machine: `./dev bench`
  CHECK(bench.state("gpu2") != "guarding");

  // And it ends when it is told to, which no hung reader may hold up.
  daemon->signal(SIGTERM);
  CHECK(eventually([&] { return daemon->ended(); }, 5s));
}

TEST_CASE("who looks at a host whose card hangs in the kernel comes back, the one who would change it too") {
  MockedHost host;
  std::unique_ptr<HungFile> hung;
  try {
    hung = std::make_unique<HungFile>(host.path(kJunction1), "42000\n");
  } catch (const std::runtime_error& error) {
    WARN("LEFT OUT on this machine: " << error.what());
    return;
  }
  hung->hang();
  // run() throws after its limit; the children that hang keep nothing open that it waits for.
  const Ran status = host.cli({"status"}, 20s);
  CHECK(status.exit == 0);
  CHECK(status.out.find("unreadable") != std::string::npos);
  CHECK(host.cli({"audit"}, 20s).exit == 1);
  CHECK(host.cli({"plan", "to-qwen38fn"}, 20s).exit == 0);
  const Ran cutover = host.cli({"cutover", "to-qwen38fn", "--yes", "--without-guard"}, 60s);
  CHECK(cutover.exit == 3);
  CHECK(cutover.out.find("gpu1") != std::string::npos);
  CHECK(hung->hung() >= 4);
}
