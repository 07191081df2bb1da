// The host in a folder as its users meet it: the tool's commands, faults of coming pct calls, and readers
// that hold files open while values change.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "base/fd.h"
#include "catch.h"
#include "host/linux_host.h"
#include "mocks/disk.h"
#include "mocks/program.h"

using namespace interlock;
using namespace interlock::mocks;
using namespace std::chrono_literals;

namespace {

const std::string kUnit = "/sys/fs/cgroup/lxc/120/ns/system.slice/llamacpp.service";
const std::string kSensor = "/sys/devices/pci0000:00/0000:03:00.0/hwmon/hwmon2/temp2_input";

class HostFolder {
 public:
  HostFolder()
      : root_(std::filesystem::temp_directory_path() / ("mock-program-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(root_);
    must(make_host(root_, {.settle = "300ms", .real_pace = false, .programs = BINARY_DIR}));
    auto made = make_linux_host(root_);
    if (!made) FAIL(made.error().message);
    host_ = *std::move(made);
  }
  ~HostFolder() { std::filesystem::remove_all(root_); }
  HostFolder(const HostFolder&) = delete;
  HostFolder& operator=(const HostFolder&) = delete;

  const std::string& root() const { return root_; }
  Host& host() { return *host_; }
  void change(const std::function<void(Folder&)>& body) {
    auto folder = Folder::open(root_);
    if (!folder) FAIL(folder.error().message);
    body(**folder);
    must((*folder)->close());
  }
  void set(const std::vector<std::string>& words) {
    change([&](Folder& folder) { must(set_thing(folder, words)); });
  }
  void plan_fault(const std::string& kind) {
    change([&](Folder& folder) { folder.model.faults[calls_made(folder.model) + 1] = kind; });
  }
  CommandEnd pct(std::vector<std::string> words, Duration deadline = 20s) {
    words.insert(words.begin(), "/usr/sbin/pct");
    auto end = host_->run({.argv = std::move(words), .input = {}, .deadline = deadline});
    if (!end) FAIL(end.error().message);
    return *std::move(end);
  }
  std::string read(const std::string& path) {
    auto text = disk::read(root_ + path);
    if (!text) FAIL(text.error().message);
    return *std::move(text);
  }
  bool has(const std::string& path, const std::string& part) {
    return read(path).find(part) != std::string::npos;
  }

 private:
  static void must(const Result<void>& result) {
    if (!result) FAIL(result.error().message);
  }
  std::string root_;
  std::unique_ptr<Host> host_;
};

/// The signal that ended a process which makes this pct call, 0 if none did.
int signal_of_caller(const std::string& root, std::vector<std::string> words) {
  words.insert(words.begin(), "/usr/sbin/pct");
  const pid_t child = ::fork();
  if (child == 0) {
    auto host = make_linux_host(root);
    if (host)
      static_cast<void>(
          (*host)->run({.argv = words, .input = {}, .deadline = 20s}));  // only its death counts
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  auto folder = Folder::open(root);  // waits for pct itself, which outlives its caller
  if (!folder) FAIL(folder.error().message);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("a planned fault strikes the call that it is meant for, and only that") {
  HostFolder folder;
  const std::string config = "/etc/pve/lxc/121.conf";
  folder.plan_fault("fail-after");
  CHECK(folder.pct({"set", "121", "--cores", "6"}).code == 255);
  CHECK(folder.has(config, "cores: 6\n"));
  CHECK(folder.pct({"set", "121", "--cores", "7"}).success());
  folder.plan_fault("no-effect");
  CHECK(folder.pct({"set", "121", "--cores", "8"}).success());
  CHECK(folder.has(config, "cores: 7\n"));
  folder.plan_fault("hang-after");
  CHECK(folder.pct({"set", "121", "--cores", "9"}, 500ms).how == CommandEnd::How::timed_out);
  CHECK(folder.has(config, "cores: 9\n"));
  folder.change([](Folder& it) {
    const std::string log = log_text(it.model);
    CHECK(log.find("   1  pct set 121 --cores 6  -> 255 (fail-after)") != std::string::npos);
    CHECK(log.find("4 pct calls, 0 broken invariants\n") != std::string::npos);
  });
}

TEST_CASE("a host that has had many calls remembers the last hundred, and counts all of them") {
  HostFolder folder;
  folder.change([](Folder& it) {
    for (int number = 1; number <= 300; ++number) it.model.calls.push_back({number, "status 121", 0, {}, {}});
  });
  folder.plan_fault("fail-after");
  CHECK(folder.pct({"set", "121", "--cores", "6"}).code == 255);
  folder.change([](Folder& it) {
    CHECK(it.model.calls.size() == 100);
    const std::string log = log_text(it.model);
    CHECK(log.find(" 301  pct set 121 --cores 6  -> 255 (fail-after)") != std::string::npos);
    CHECK(log.find("301 pct calls, 0 broken invariants\n") != std::string::npos);
  });
}

TEST_CASE("a fault can kill the caller before and after the effect of its call") {
  HostFolder folder;
  folder.plan_fault("killed");
  CHECK(signal_of_caller(folder.root(), {"set", "121", "--cores", "6"}) == SIGKILL);
  CHECK(folder.has("/etc/pve/lxc/121.conf", "cores: 4\n"));
  folder.plan_fault("killed-after");
  CHECK(signal_of_caller(folder.root(), {"set", "121", "--cores", "6"}) == SIGKILL);
  CHECK(folder.has("/etc/pve/lxc/121.conf", "cores: 6\n"));
  CHECK(signal_of_caller(folder.root(), {"status", "121"}) == 0);
}

TEST_CASE("a power cut ends the caller, empties /run and boots the host") {
  HostFolder folder;
  const std::string boot_id = folder.read("/proc/sys/kernel/random/boot_id");
  REQUIRE(folder.host().replace_file("/run/thing", "x", 0644, Durability::plain));
  folder.plan_fault("power-cut-after");
  CHECK(signal_of_caller(folder.root(), {"set", "121", "--onboot", "0"}) == SIGKILL);
  CHECK(folder.read("/proc/sys/kernel/random/boot_id") != boot_id);
  CHECK_FALSE(folder.host().info("/run/thing"));
  CHECK(folder.pct({"status", "121"}).output == "status: stopped\n");
  CHECK(folder.pct({"status", "120"}).output == "status: running\n");
}

TEST_CASE("a reader that holds a sensor open sees the new value, and a lost link when hwmon is renumbered") {
  HostFolder folder;
  const Fd fd(::open((folder.root() + kSensor).c_str(), O_RDONLY | O_CLOEXEC));
  REQUIRE(fd);
  const auto value = [&] {
    char text[64] = {};
    const ssize_t got = ::pread(fd.get(), text, sizeof text, 0);
    return std::string(text, got < 0 ? 0 : static_cast<std::size_t>(got));
  };
  folder.set({"card", "gpu1", "junction", "104.5"});
  CHECK(value() == "104500\n");
  folder.set({"card", "gpu1", "junction", "62"});
  CHECK(value() == "62000\n");
  folder.change([](Folder& it) { CHECK(it.reboot({.lost_writes = 0, .renumber = true}, false)); });
  struct stat status{};
  REQUIRE(::fstat(fd.get(), &status) == 0);
  CHECK(status.st_nlink == 0);
}

TEST_CASE("what a person writes into a folder by hand stays, until the model changes it") {
  HostFolder folder;
  REQUIRE(disk::overwrite(folder.root() + kSensor, "511000\n", 0644));
  CHECK(folder.pct({"list"}).success());
  CHECK(folder.read(kSensor) == "511000\n");
  folder.set({"card", "gpu1", "junction", "70"});
  CHECK(folder.read(kSensor) == "70000\n");
  folder.set({"card", "gpu1", "sensor", "memory", "missing"});
  CHECK(is_missing(
      folder.host().read_file("/sys/bus/pci/devices/0000:03:00.0/hwmon/hwmon2/temp3_input").error()));
  folder.set({"card", "gpu1", "sensor", "memory", "normal"});
  CHECK(folder.host().read_file("/sys/bus/pci/devices/0000:03:00.0/hwmon/hwmon2/temp3_input"));
}

TEST_CASE("serve acts on cgroup.kill and cgroup.freeze without anybody else") {
  HostFolder folder;
  std::thread server([&] { CHECK(serve(folder.root(), 2s)); });
  Host& host = folder.host();
  const auto seen = [&](const std::function<bool()>& what) {
    for (int tries = 0; tries < 300; ++tries) {
      if (what()) return true;
      host.wait(5ms);
    }
    return false;
  };
  CHECK(host.write_control(kUnit + "/cgroup.freeze", "1"));
  CHECK(seen([&] {
    const auto events = host.read_file(kUnit + "/cgroup.events");
    return events && events->find("frozen 1") != std::string::npos;
  }));
  const auto pids = host.read_file(kUnit + "/cgroup.procs");
  REQUIRE(pids);
  CHECK(host.write_control(kUnit + "/cgroup.kill", "1"));
  CHECK(seen([&] { return !host.info("/proc/" + pids->substr(0, pids->find('\n'))); }));
  server.join();
}

TEST_CASE("a run that was cut off while it wrote the folder is mended by the next") {
  HostFolder folder;
  REQUIRE(disk::replace(folder.root() + "/.mock/unfinished", "", 0644));
  REQUIRE(disk::make_folders(folder.root() + "/proc/99999"));
  REQUIRE(disk::replace(folder.root() + "/proc/99999/comm", "ghost\n", 0644));
  REQUIRE(disk::remove(folder.root() + kUnit + "/cgroup.procs"));
  CHECK(folder.pct({"list"}).success());
  CHECK_FALSE(folder.host().info("/proc/99999"));
  CHECK(folder.host().info(kUnit + "/cgroup.procs"));
}

TEST_CASE("make places a policy with the settle time that was asked for") {
  HostFolder folder;
  CHECK(folder.has("/etc/gpu-interlock/policy.yaml", "\n  settle: 300ms\n"));
}

TEST_CASE("what set cannot do it says") {
  HostFolder folder;
  folder.change([](Folder& it) {
    CHECK(set_thing(it, {"card", "gpu9", "junction", "50"}).error().message == "there is no card gpu9");
    CHECK(set_thing(it, {"card", "gpu1", "junction", "hot"}).error().message ==
          "'hot' is no temperature in degrees");
    CHECK(set_thing(it, {"unit", "120/nosuch.service", "active"}).error().message ==
          "there is no unit 120/nosuch.service");
    CHECK_FALSE(set_thing(it, {"weather", "fine"}));
  });
}

TEST_CASE("a start that the installed gate refuses fails as Proxmox lets it fail") {
  HostFolder folder;
  const std::string gate = folder.root() + "/usr/sbin/gpu-interlock-gate";
  REQUIRE(disk::replace(gate, "#!/bin/sh\necho \"no card for $1\" >&2\nexit 1\n", 0755));
  REQUIRE(disk::make_folders(folder.root() + "/etc/systemd/system/pve-container@.service.d"));
  REQUIRE(disk::replace(folder.root() + "/etc/systemd/system/pve-container@.service.d/gpu-interlock.conf",
                        "[Service]\nExecStartPre=/usr/sbin/gpu-interlock-gate %i\n", 0644));
  CHECK(folder.pct({"stop", "121"}).success());
  const CommandEnd end = folder.pct({"start", "121"});
  CHECK(end.code == 255);
  CHECK(end.output == "no card for 121\n");
  CHECK(end.errors == "startup for container '121' failed\n");
  CHECK(folder.pct({"status", "121"}).output == "status: stopped\n");
}
