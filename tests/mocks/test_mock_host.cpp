// The mocked host in memory: what it starts from, and how each operation can go wrong on it (verification.md,
// section 3).
#include <cerrno>

#include "mocked.h"

using namespace interlock;
using namespace interlock::mocks;
using namespace std::chrono_literals;

namespace {

using Kind = Fault::Kind;

const std::string kConfig = "/etc/pve/lxc/120.conf";
const std::string kJournal = "/var/lib/gpu-interlock/journal";

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

TEST_CASE("a full disk takes no record, and stops no shedding") {
  MockHost host(two_v620());
  CHECK(host.make_folder("/var/lib/gpu-interlock", 0700));
  host.model().disk_full = true;
  CHECK(host.append_file(kJournal, "x").error().code == ENOSPC);
  CHECK(host.write_control("/sys/fs/cgroup/lxc/120/ns/system.slice/llamacpp.service/cgroup.freeze", "1"));
}
