// The mocked host in memory: what it starts from, and how operations go wrong on it.
#include <csignal>

#include "catch.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"

using namespace interlock;
using namespace interlock::mocks;
using namespace std::chrono_literals;

namespace {

CommandEnd pct(MockHost& host, std::vector<std::string> words, Duration deadline = 30s) {
  Command command;
  command.argv = std::move(words);
  command.argv.insert(command.argv.begin(), "/usr/sbin/pct");
  command.deadline = deadline;
  auto end = host.run(command);
  REQUIRE(end);
  return *end;
}

}  // namespace

TEST_CASE("two-v620 starts with both servers serving and no invariant broken") {
  MockHost host(two_v620());
  CHECK(host.breaches().empty());
  CHECK(pct(host, {"status", "120"}).output == "status: running\n");
  CHECK(pct(host, {"exec", "120", "--", "systemctl", "is-active", "llamacpp.service"}).output == "active\n");
  CHECK(pct(host, {"exec", "123", "--", "curl", "-fsS", "http://127.0.0.1:1234/health"}).success());
  CHECK(host.model().processes.size() >= 9);
  for (const Process& it : host.model().processes)
    UNSCOPED_INFO(it.pid << " " << it.cgroup << " " << it.opens.size());
  CHECK(host.read_file("/proc/net/unix")->find("@/var/lib/lxc/123/command") != std::string::npos);
  CHECK(*host.read_file("/sys/bus/pci/devices/0000:83:00.0/hwmon/hwmon3/temp2_input") == "73000\n");
  CHECK(*host.real_path("/dev/dri/by-path/pci-0000:03:00.0-render") == "/dev/dri/renderD129");
}
