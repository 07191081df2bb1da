// The mocked host in memory: what it starts from, how each operation can go wrong on it, and that its own
// judgement of the invariants sees what it must (verification.md, section 3).
#include <cerrno>
#include <csignal>

#include "catch.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"

using namespace interlock;
using namespace interlock::mocks;
using namespace std::chrono_literals;

namespace {

using Kind = Fault::Kind;

const std::string kConfig = "/etc/pve/lxc/120.conf";
const std::string kJournal = "/var/lib/gpu-interlock/journal";

Result<CommandEnd> run(MockHost& host, std::vector<std::string> words, Duration deadline = 30s) {
  words.insert(words.begin(), "/usr/sbin/pct");
  return host.run({.argv = std::move(words), .input = {}, .deadline = deadline});
}

CommandEnd pct(MockHost& host, std::vector<std::string> words, Duration deadline = 30s) {
  auto end = run(host, std::move(words), deadline);
  REQUIRE(end);
  return *end;
}

/// The next operation goes so, those after it well.
void next_goes(MockHost& host, Fault fault) {
  host.choose = [fault, at = host.operations() + 1](const Operation& it) {
    return it.index == at ? fault : Fault{};
  };
}

std::string cores(const MockHost& host) {
  const std::string text = host.peek(kConfig).value_or("");
  const auto at = text.find("cores: ");
  return at == std::string::npos ? "none" : text.substr(at + 7, text.find('\n', at) - at - 7);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string with_line(std::string text, const std::string& line) {
  return text.append(line).append("\n");
}

}  // namespace

TEST_CASE("two-v620 starts with both servers serving and no invariant broken") {
  MockHost host(two_v620());
  CHECK(host.breaches().empty());
  CHECK(host.operations() == 0);
  CHECK(pct(host, {"exec", "120", "--", "systemctl", "is-active", "llamacpp.service"}).output == "active\n");
  CHECK(pct(host, {"exec", "123", "--", "curl", "-fsS", "http://127.0.0.1:1234/health"}).success());
  CHECK(*host.read_file("/sys/bus/pci/devices/0000:83:00.0/hwmon/hwmon3/temp2_input") == "73000\n");
  CHECK(memory_used(host.model(), *host.model().card("gpu1")) > 25'000 * kMiB);
  CHECK(host.model().unsynced.empty());
}

TEST_CASE("a copy of a model is a host of its own") {
  const Model model = two_v620();
  MockHost one(model);
  MockHost other(model);
  CHECK(pct(one, {"stop", "123"}).success());
  CHECK(pct(other, {"status", "123"}).output == "status: running\n");
}

TEST_CASE("each operation is counted, asked about and told of, with what it is about") {
  MockHost host(two_v620());
  std::vector<std::string> asked;
  std::vector<int> told;
  host.choose = [&](const Operation& it) {
    asked.push_back(std::string(to_string(it.kind)) + " " + it.text + (it.mutating ? " !" : ""));
    return Fault{};
  };
  host.after = [&](const Operation& it) { told.push_back(it.index); };
  CHECK(host.read_file(kConfig));
  CHECK(host.list_with_info("/proc"));
  pct(host, {"exec", "120", "--", "systemctl", "show", "--", "llamacpp.service"});
  pct(host, {"set", "120", "--cores", "2"});
  host.wait(1s);
  CHECK(asked == std::vector<std::string>{"read_file /etc/pve/lxc/120.conf", "list_folder /proc",
                                          "run pct exec 120 -- systemctl show -- llamacpp.service",
                                          "run pct set 120 --cores 2 !", "wait 1000 ms"});
  CHECK(told == std::vector<int>{1, 2, 3, 4, 5});
}

TEST_CASE("a command can fail with and without effect, and succeed without one") {
  MockHost host(two_v620());
  SECTION("fails") {
    next_goes(host, {Kind::fail});
    CHECK(pct(host, {"set", "120", "--cores", "48"}).code == 255);
    CHECK(cores(host) == "8");
  }
  SECTION("fails after its effect") {
    next_goes(host, {Kind::fail_after});
    CHECK(pct(host, {"set", "120", "--cores", "48"}).code == 255);
    CHECK(cores(host) == "48");
  }
  SECTION("succeeds without effect") {
    next_goes(host, {Kind::no_effect});
    CHECK(pct(host, {"set", "120", "--cores", "48"}).success());
    CHECK(cores(host) == "8");
  }
  SECTION("does half") {
    next_goes(host, {Kind::half});
    CHECK_FALSE(pct(host, {"set", "120", "--cores", "48", "--memory", "163840"}).success());
    CHECK(cores(host) == "48");
    CHECK(contains(*host.peek(kConfig), "memory: 16384\n"));
  }
}

TEST_CASE("a command can hang, and its worker goes on without it") {
  MockHost host(two_v620());
  const Instant begun = host.now();
  SECTION("without effect") {
    next_goes(host, {Kind::hang});
    CHECK(pct(host, {"set", "120", "--cores", "48"}, 5s).how == CommandEnd::How::timed_out);
    host.wait(10s);
    CHECK(cores(host) == "8");
  }
  SECTION("after its effect") {
    next_goes(host, {Kind::hang_after});
    CHECK(pct(host, {"set", "120", "--cores", "48"}, 5s).how == CommandEnd::How::timed_out);
    CHECK(cores(host) == "48");
  }
  SECTION("with an effect that comes late") {
    next_goes(host, {Kind::hang_late});
    CHECK(pct(host, {"set", "120", "--cores", "48"}, 5s).how == CommandEnd::How::timed_out);
    CHECK(cores(host) == "8");
    host.wait(3s);
    CHECK(cores(host) == "48");
  }
  CHECK(host.now() - begun >= 5s);
}

TEST_CASE("what was done can be undone by somebody else a second later") {
  MockHost host(two_v620());
  SECTION("a unit that was stopped comes back") {
    next_goes(host, {Kind::undone_later});
    CHECK(pct(host, {"exec", "120", "--", "systemctl", "disable", "--now", "llamacpp.service"}).success());
    CHECK(host.machine().unit(120, "llamacpp.service")->active == "inactive");
    host.wait(2s);
    CHECK(host.machine().unit(120, "llamacpp.service")->active == "active");
    CHECK(host.machine().unit(120, "llamacpp.service")->file == "enabled");
  }
  SECTION("a container that was stopped comes back") {
    next_goes(host, {Kind::undone_later});
    CHECK(pct(host, {"stop", "123"}).success());
    CHECK_FALSE(host.model().container(123)->running());
    host.wait(2s);
    CHECK(host.model().container(123)->running());
  }
  SECTION("a file gets its old text back") {
    next_goes(host, {Kind::undone_later});
    CHECK(host.replace_file(kConfig, "memory: 1\n", 0640, Durability::synced));
    CHECK(*host.peek(kConfig) == "memory: 1\n");
    host.wait(2s);
    CHECK(cores(host) == "8");
  }
}

TEST_CASE("reads can fail, give nonsense, and give what stood there before the last change") {
  MockHost host(two_v620());
  host.choose = [](const Operation&) { return Fault{}; };
  CHECK(host.replace_file("/run/thing", "old\n", 0644, Durability::plain));
  CHECK(host.replace_file("/run/thing", "new\n", 0644, Durability::plain));
  next_goes(host, {Kind::fail});
  CHECK(host.read_file("/run/thing").error().code == EIO);
  next_goes(host, {Kind::garbage});
  CHECK(*host.read_file("/run/thing") != "new\n");
  next_goes(host, {Kind::old});
  CHECK(*host.read_file("/run/thing") == "old\n");
  CHECK(*host.read_file("/run/thing") == "new\n");
  pct(host, {"stop", "123"});
  next_goes(host, {Kind::old});
  CHECK(pct(host, {"status", "123"}).output == "status: running\n");
  CHECK(pct(host, {"status", "123"}).output == "status: stopped\n");
}

TEST_CASE("the controller can be killed before, in and after an operation; its locks go with it") {
  MockHost host(two_v620());
  CHECK(host.make_folder("/var/lib/gpu-interlock", 0700));
  auto held = host.lock("/run/lock/lxc/pve-config-120.lock", 1s);
  REQUIRE(held);
  SECTION("before") {
    next_goes(host, {Kind::killed});
    CHECK_THROWS_AS(host.append_file(kJournal, "record\n"), Killed);
    CHECK_FALSE(host.peek(kJournal));
  }
  SECTION("in it") {
    next_goes(host, {Kind::killed_half});
    CHECK_THROWS_AS(host.append_file(kJournal, "record\n"), Killed);
    CHECK(*host.peek(kJournal) == "rec");
  }
  SECTION("after") {
    next_goes(host, {Kind::killed_after});
    CHECK_THROWS_AS(host.append_file(kJournal, "record\n"), Killed);
    CHECK(*host.peek(kJournal) == "record\n");
  }
  SECTION("a command that it began goes on") {
    host.model().container(123)->units.front().stop = Stop::unkillable;
    next_goes(host, {Kind::killed_after});
    CHECK_THROWS_AS(run(host, {"set", "121", "--cores", "2"}), Killed);
    CHECK(contains(*host.peek("/etc/pve/lxc/121.conf"), "cores: 2\n"));
  }
  // A ghost's destructors do nothing.
  CHECK_FALSE(host.append_file(kJournal, "more\n"));
  host.revive();
  CHECK_FALSE(*host.is_locked("/run/lock/lxc/pve-config-120.lock"));
  held->reset();
  auto again = host.lock("/run/lock/lxc/pve-config-120.lock", 1s);
  CHECK(again);
}

TEST_CASE("a power cut loses the last writes below /etc/pve, in order, and none before a barrier") {
  MockHost host(two_v620());
  const std::string first = with_line(*host.peek(kConfig), "tags: one");
  const std::string second = with_line(first, "debug: 0");
  const std::string boot_id = *host.peek("/proc/sys/kernel/random/boot_id");
  CHECK(host.replace_file(kConfig, first, 0640, Durability::synced));
  SECTION("one of two") {
    CHECK(host.replace_file(kConfig, second, 0640, Durability::synced));
    next_goes(host, {Kind::power_cut, 1});
    CHECK_THROWS_AS(host.read_file(kConfig), PowerCut);
    host.boot();
    CHECK(*host.peek(kConfig) == first);
  }
  SECTION("none that was synced") {
    CHECK(host.sync_file("/var/lib/pve-cluster/config.db-wal"));
    CHECK(host.replace_file(kConfig, second, 0640, Durability::synced));
    next_goes(host, {Kind::power_cut_after, 3});
    CHECK_THROWS_AS(host.replace_file("/run/thing", "x", 0644, Durability::plain), PowerCut);
    host.boot();
    CHECK(*host.peek(kConfig) == first);
    CHECK_FALSE(host.peek("/run/thing"));
  }
  CHECK(*host.peek("/proc/sys/kernel/random/boot_id") != boot_id);
  CHECK(host.model().container(120)->running());
  host.wait(5min);
  CHECK(host.machine().unit(120, "llamacpp.service")->active == "active");
}

TEST_CASE(
    "a pct that is killed at its deadline leaves a worker that holds the container's lock (pct.md 1.0)") {
  MockHost host(two_v620());
  const int pid = host.machine().run_by_hand(123, "stuck", kMiB, 0).pid;
  host.model().process(pid)->unkillable = true;
  CHECK(pct(host, {"stop", "123"}, 20s).how == CommandEnd::How::timed_out);
  CHECK(pct(host, {"status", "123"}).output == "status: running\n");
  CHECK(pct(host, {"set", "123", "--onboot", "0"}).code == 4);
  bool titled = false;
  for (const Process& it : host.model().processes)
    titled = titled || contains(it.cmdline, ":vzstop:123:root@pam:");
  CHECK(titled);
}

TEST_CASE("a held configuration lock fails set after ten seconds, and start and stop as well (pct.md 1.0)") {
  MockHost host(two_v620());
  auto held = host.lock("/run/lock/lxc/pve-config-123.lock", 1s);
  REQUIRE(held);
  const Instant begun = host.now();
  const CommandEnd set = pct(host, {"set", "123", "--onboot", "0"});
  CHECK(set.code == 4);
  CHECK(set.errors ==
        "trying to acquire lock...\ncan't lock file '/run/lock/lxc/pve-config-123.lock' - got timeout\n");
  CHECK(host.now() - begun >= 10s);
  CHECK(pct(host, {"stop", "123"}).code == 255);
  CHECK(host.model().container(123)->running());
  CHECK(host.lock("/run/lock/lxc/pve-config-123.lock", 2s).error().code == EWOULDBLOCK);
}

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

TEST_CASE("a signal reaches a process only by its own start time") {
  MockHost host(two_v620());
  const Process process = host.machine().run_by_hand(120, "llama-bench", kMiB, 50);
  CHECK(host.signal({process.pid, process.started + 1}, SIGKILL).error().code == ESRCH);
  CHECK(host.signal({process.pid, process.started}, SIGKILL));
  CHECK(host.model().process(process.pid) == nullptr);
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

TEST_CASE("a full disk takes no record, and stops no shedding") {
  MockHost host(two_v620());
  CHECK(host.make_folder("/var/lib/gpu-interlock", 0700));
  host.model().disk_full = true;
  CHECK(host.append_file(kJournal, "x").error().code == ENOSPC);
  CHECK(host.write_control("/sys/fs/cgroup/lxc/120/ns/system.slice/llamacpp.service/cgroup.freeze", "1"));
}

TEST_CASE("a card's sensors fail as the driver makes them (amdgpu.md 1.6)") {
  MockHost host(two_v620());
  const std::string sensor = "/sys/bus/pci/devices/0000:03:00.0/hwmon/hwmon2/temp2_input";
  Card& card = *host.model().card("gpu1");
  card.runtime = "suspended";
  CHECK(host.read_file(sensor).error().code == EPERM);
  card.runtime = "active";
  card.off_the_bus = true;
  CHECK(host.read_file(sensor).error().code == EOPNOTSUPP);
  CHECK(host.read_file("/sys/bus/pci/devices/0000:03:00.0/config")->substr(0, 2) == "\xff\xff");
  card.off_the_bus = false;
  host.model().overrides["/sys/devices/pci0000:00/0000:03:00.0/hwmon/hwmon2/temp2_input"] = {0, "511000\n",
                                                                                             false};
  CHECK(*host.read_file(sensor) == "511000\n");
  card.present = false;
  CHECK(is_missing(host.read_file(sensor).error()));
}

TEST_CASE("a card heats while something works on it, and cools when that is frozen") {
  MockHost host(two_v620());
  Card& card = *host.model().card("gpu1");
  card.heating = 1000;
  card.cooling = 500;
  host.wait(10s);
  CHECK(temperatures(host.model(), card).junction == 72'000);
  CHECK(host.write_control("/sys/fs/cgroup/lxc/120/ns/system.slice/llamacpp.service/cgroup.freeze", "1"));
  host.wait(10s);
  CHECK(temperatures(host.model(), card).junction == 67'000);
}

TEST_CASE("memory of a server that ended can linger (S09)") {
  MockHost host(two_v620());
  host.model().card("gpu2")->lingers = 5s;
  pct(host, {"stop", "123"});
  CHECK(memory_used(host.model(), *host.model().card("gpu2")) > 20'000 * kMiB);
  host.wait(5s);
  CHECK(memory_used(host.model(), *host.model().card("gpu2")) == 24 * kMiB);
}

TEST_CASE("KFD work is seen in sysfs, by the lead thread's number (amdgpu.md 3.5)") {
  MockHost host(two_v620());
  host.model().kfd = true;
  Process& process = host.machine().run_by_hand(123, "rocm-bench", 0, 0);
  process.opens.front().kfd_memory = 8'000 * kMiB;
  process.opens.front().kfd_queue = true;
  const std::string top = "/sys/class/kfd/kfd/";
  const std::string own = top + "proc/" + std::to_string(process.pid) + "/";
  const std::string number = *host.read_file(top + "topology/nodes/2/gpu_id");
  CHECK(contains(*host.read_file(top + "topology/nodes/2/properties"), "location_id 33536\n"));  // 0x83 << 8
  CHECK(*host.read_file(own + "queues/0/gpuid") == number);
  CHECK(*host.read_file(own + "vram_" + number.substr(0, number.size() - 1)) == "8388608000\n");
}
