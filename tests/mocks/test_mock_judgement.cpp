// The mocked host in memory: its gate, its boots, its cluster file system, and that its own judgement of the
// invariants sees what it must (verification.md, section 3).
#include <cerrno>

#include "mocked.h"

using namespace interlock;
using namespace interlock::mocks;

namespace {

const std::string kConfig = "/etc/pve/lxc/120.conf";

}  // namespace

TEST_CASE("the gate is asked at every start, whoever starts, and what it does itself is not counted") {
  MockHost host(two_v620());
  std::vector<int> asked;
  host.gate = [&](MockHost& it, int vmid) -> std::optional<std::string> {
    asked.push_back(vmid);
    CHECK(it.read_file("/etc/pve/lxc/" + std::to_string(vmid) + ".conf"));
    if (vmid == 123) return "gpu2 belongs to 120";
    return std::nullopt;
  };
  pct(host, {"stop", "123"});
  const int before = host.operations();
  const CommandEnd start = pct(host, {"start", "123"});
  CHECK(start.code == 255);
  CHECK(start.errors == "startup for container '123' failed\n");
  CHECK(start.output == "gpu2 belongs to 120\n");
  CHECK(host.operations() == before + 1);
  host.boot({});
  CHECK(asked == std::vector<int>{123, 120, 121, 123});  // 120 has a startup order
  CHECK_FALSE(host.model().container(123)->running());
}

TEST_CASE("a boot may renumber the nodes; who binds by path still finds its own (S07)") {
  MockHost host(two_v620());
  host.boot({.lost_writes = 0, .renumber = true});
  CHECK(*host.real_path("/dev/dri/by-path/pci-0000:03:00.0-render") == "/dev/dri/renderD128");
  CHECK(host.model().container(120)->live == std::set<std::string>{"0000:03:00.0"});
  CHECK(host.breaches().empty());
}

TEST_CASE("one that binds by number has another card after a renumbering, and that is seen (S07)") {
  MockHost host(two_v620());
  std::string text = *host.peek(kConfig);
  const std::string by_path = "/dev/dri/by-path/pci-0000:03:00.0-render";
  text.replace(text.find(by_path), by_path.size(), "/dev/dri/renderD129");
  host.poke("/etc/pve/nodes/pve/lxc/120.conf", text);
  CHECK(host.breaches().empty());
  host.boot({.lost_writes = 0, .renumber = true});
  REQUIRE_FALSE(host.breaches().empty());
  CHECK(host.breaches().front().invariant == "I1");
}

TEST_CASE("the judgement sees each way to break an invariant") {
  MockHost host(two_v620());
  const std::string path = "/etc/pve/nodes/pve/lxc/123.conf";
  const std::string entry =
      "lxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-render dev/dri/renderD129 none bind 0 0\n";
  const auto add = [&](const std::string& lines) { host.poke(path, lines + *host.peek(path)); };
  const auto first = [&] {
    REQUIRE_FALSE(host.breaches().empty());
    return host.breaches().front();
  };
  SECTION("a running container binds another's card") {
    add(entry);
    CHECK(first().invariant == "I1");
    CHECK(first().when == "now");
  }
  SECTION("a stopped one with autostart does (two-v620 failure 3)") {
    pct(host, {"stop", "123"});
    add(entry);
    CHECK(first().when == "now");
  }
  SECTION("a stopped one without autostart breaks nothing") {
    pct(host, {"stop", "123"});
    pct(host, {"set", "123", "--onboot", "0"});
    add(entry);
    CHECK(host.breaches().empty());
  }
  SECTION("pending settings count for the next boot") {
    host.poke(path, *host.peek(path) + "\n[pve:pending]\ndev0: /dev/dri/renderD129\n");
    CHECK(first().invariant == "I1");
  }
  SECTION("HA starts it, whatever onboot says") {
    pct(host, {"set", "123", "--onboot", "0"});
    pct(host, {"stop", "123"});
    host.machine().barrier();
    host.poke("/etc/pve/ha/resources.cfg", "ct: 123\n");
    add(entry);
    CHECK(first().when == "now");
  }
  SECTION("two units of a container are enabled") {
    pct(host, {"exec", "120", "--", "systemctl", "enable", "llamacpp-qwen38fn.service"});
    CHECK(first().invariant == "I2");
  }
  SECTION("rules that do not permit it give a privileged container nothing (B02)") {
    std::string text = *host.peek(path);
    const std::string rule = "lxc.cgroup2.devices.allow: c 226:* rwm\n";
    text.erase(text.find(rule), rule.size());
    host.poke(path, entry + text);
    CHECK(host.breaches().empty());
  }
}

TEST_CASE("/etc/pve without quorum can be read, not written; unmounted it is empty (pct.md 3)") {
  MockHost host(two_v620());
  SECTION("no quorum") {
    host.model().quorate = false;
    CHECK(host.read_file(kConfig));
    CHECK(host.replace_file(kConfig, "x", 0640, Durability::synced).error().code == EACCES);
    CHECK(contains(pct(host, {"set", "120", "--onboot", "0"}).errors, "Permission denied"));
    CHECK((host.info("/etc/pve/local")->mode & 0200U) == 0);
    pct(host, {"stop", "123"});
    CHECK(pct(host, {"start", "123"}).errors == "cluster not ready - no quorum?\n");
  }
  SECTION("not mounted") {
    host.model().pve_mounted = false;
    CHECK(is_missing(host.read_file(kConfig).error()));
    CHECK(is_missing(host.info("/etc/pve/local").error()));
    CHECK(pct(host, {"status", "120"}).code == 111);
  }
}
