// One list of checks for both forms of the mocked host, so that the two cannot drift apart. Each says what of
// Proxmox or the kernel it imitates (pct.md, by section).
#include <algorithm>
#include <string_view>

#include "base/digest.h"
#include "bench.h"
#include "catch.h"

using namespace interlock;
using namespace interlock::mocks;
using namespace std::chrono_literals;

namespace {

const std::string kFirst = "llamacpp.service";
const std::string kLarge = "llamacpp-qwen38fn.service";
const std::string kUnitCgroup = "/sys/fs/cgroup/lxc/120/ns/system.slice/llamacpp.service";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

void status_and_list(Bench& bench) {
  CHECK(bench.pct({"status", "120"}).output == "status: running\n");
  CHECK(bench.pct({"stat", "121"}).output == "status: running\n");  // verbs may be abbreviated
  const std::string list = bench.pct({"list"}).output;
  CHECK(contains(list, "VMID       Status     Lock         Name                \n"));
  CHECK(contains(list, "123        running                 second              \n"));
  CHECK(contains(bench.pct({"status", "120", "--verbose"}).output, "status: running\n"));
}

void errors_of_every_verb(Bench& bench) {
  const CommandEnd unknown = bench.pct({"status", "999"});
  CHECK(unknown.code == 2);
  CHECK(unknown.errors == "Configuration file 'nodes/pve/lxc/999.conf' does not exist\n");
  CHECK(unknown.output.empty());
  CHECK(contains(bench.pct({"status", "abc"}).errors, "vmid: type check ('integer') failed - got 'abc'\n"));
  CHECK(contains(bench.pct({"set", "120", "--nosuch", "1"}).errors,
                 "Unknown option: nosuch\n400 unable to parse option\n"));
  CHECK(contains(bench.pct({"bogus", "120"}).errors, "ERROR: unknown command 'pct bogus'\n"));
  CHECK(bench.pct({"bogus", "120"}).code == 255);
  CHECK(contains(bench.pct({"exec", "120", "ls", "-d", "/etc"}).errors, "Unknown option: d\n"));
  CHECK(bench.pct({"start", "120"}).errors == "CT 120 already running\n");
}

void settings_of_a_running_container(Bench& bench) {
  const CommandEnd end = bench.pct({"set", "120", "--cores", "48", "--memory=163840", "-swap", "0"});
  CHECK(end.success());
  CHECK(end.output.empty());
  const std::string config = bench.config(120);
  CHECK(contains(config, "\ncores: 48\n"));
  CHECK(contains(config, "\nmemory: 163840\n"));
  CHECK(contains(config, "\nswap: 0\n"));
}

void options_and_values(Bench& bench) {
  CHECK(bench.pct({"set", "121", "--onb", "no"}).success());  // unambiguous abbreviations are taken
  CHECK(contains(bench.config(121), "\nonboot: 0\n"));
  CHECK(contains(bench.pct({"set", "121", "--cores", "many"}).errors,
                 "cores: type check ('integer') failed - got 'many'"));
  CHECK(bench.pct({"set", "121"}).errors == "no options specified\n");
  const CommandEnd unset = bench.pct({"set", "121", "--delete", "dev7"});
  CHECK(unset.success());
  CHECK(unset.errors == "cannot delete 'dev7' - not set in current configuration!\n");
}

void digest_is_of_the_bytes(Bench& bench) {
  const CommandEnd wrong = bench.pct({"set", "120", "--onboot", "0", "--digest", std::string(40, '0')});
  CHECK(wrong.code == 255);
  CHECK(wrong.errors == "detected modified configuration - file changed by other user? Try again.\n");
  CHECK(contains(bench.config(120), "\nonboot: 1\n"));
  CHECK(bench.pct({"set", "120", "--onboot", "0", "--digest", sha1_hex(bench.config(120))}).success());
  CHECK(contains(bench.config(120), "\nonboot: 0\n"));
}

void a_lock_refuses(Bench& bench) {
  bench.edit(120,
             [](std::string text) { return replaced(std::move(text), "memory:", "lock: backup\nmemory:"); });
  for (const std::string verb : {"stop", "shutdown"}) {
    const CommandEnd end = bench.pct({verb, "120"});
    CHECK(end.code == 255);
    CHECK(end.errors == "CT is locked (backup)\n");
  }
  CHECK(bench.pct({"set", "120", "--onboot", "0"}).errors == "CT is locked (backup)\n");
  CHECK(bench.exec(120, {"true"}).success());
  CHECK(bench.pct({"unlock", "120"}).success());
  CHECK(bench.pct({"unlock", "120"}).errors == "no lock found trying to remove any lock\n");
}

void a_held_lock_is_waited_for(Bench& bench) {
  auto held = bench.host().lock("/run/lock/lxc/pve-config-121.lock", 1s);
  REQUIRE(held);
  CHECK(*bench.host().is_locked("/run/lock/lxc/pve-config-121.lock"));
  const CommandEnd end = bench.pct({"set", "121", "--onboot", "0"}, 300ms);
  CHECK(end.how == CommandEnd::How::timed_out);
  CHECK(contains(bench.config(121), "\nonboot: 1\n"));
  CHECK(bench.exec(121, {"true"}).success());  // takes no lock
  held->reset();
  CHECK(bench.pct({"set", "121", "--onboot", "0"}).success());
}

void devices_attach_and_wait(Bench& bench) {
  CHECK(bench.pct({"set", "121", "--dev0", "/dev/dri/renderD129"}).success());
  CHECK(contains(bench.config(121), "dev0: /dev/dri/renderD129\n"));
  CHECK_FALSE(contains(bench.config(121), "[pve:pending]"));  // Proxmox 9 plugs it in at once
  CHECK(bench.pct({"set", "121", "--delete", "dev0"}).success());
  CHECK(contains(bench.config(121), "\n[pve:pending]\ndelete: dev0\n"));
  CHECK_FALSE(contains(bench.pct({"config", "121"}).output, "dev0"));
  CHECK(contains(bench.pct({"config", "121", "--current"}).output, "dev0: /dev/dri/renderD129\n"));
  CHECK(contains(bench.pct({"pending", "121"}).output, "del dev0: /dev/dri/renderD129\n"));
  bench.poke([](Machine& machine) {
    CHECK(machine.model.container(121)->live.contains("0000:03:00.0"));
    CHECK_FALSE(machine.model.breaches.empty());  // I1: 120 has it too
    machine.model.breaches.clear();
  });
}

void devices_are_pending_before_proxmox_9(Bench& bench) {
  bench.poke([](Machine& machine) { machine.model.proxmox = 8; });
  CHECK(bench.pct({"set", "121", "--dev0", "/dev/dri/renderD129,gid=44"}).success());
  CHECK(contains(bench.config(121), "\n[pve:pending]\ndev0: /dev/dri/renderD129,gid=44\n"));
  CHECK(contains(bench.pct({"config", "121"}).output, "dev0: /dev/dri/renderD129,gid=44\n"));
  bench.poke(
      [](Machine& machine) { CHECK_FALSE(machine.model.container(121)->live.contains("0000:03:00.0")); });
}

void set_fails_after_it_wrote(Bench& bench) {
  bench.edit(121, [](std::string text) { return text + "dev1: /dev/dri/renderD177\n"; });
  const CommandEnd end = bench.pct({"set", "121", "--onboot", "0"});
  CHECK(end.code == 2);
  CHECK(end.errors == "Device /dev/dri/renderD177 does not exist\n");
  CHECK(contains(bench.config(121), "\nonboot: 0\n"));
  CHECK(bench.pct({"stop", "121"}).success());
  CHECK(contains(bench.pct({"start", "121"}).errors, "Device /dev/dri/renderD177 does not exist\n"));
  CHECK_FALSE(bench.runs(121));
}

void a_stop_rewrites_the_configuration(Bench& bench) {
  bench.edit(121, [](std::string text) {
    return "swap: 256\n# made by hand: mine\n  # indented\n" + text + "lxc.start.auto = 0\nonboot: maybe\n";
  });
  CHECK(bench.pct({"stop", "121"}).success());
  REQUIRE(bench.eventually([&] { return contains(bench.config(121), "lxc.start.auto: 0\n"); }));
  const std::string config = bench.config(121);
  CHECK(config.starts_with("#made by hand%3A mine\narch: amd64\n"));
  CHECK_FALSE(contains(config, "indented"));
  CHECK(contains(config, "\nonboot: maybe\n"));
  CHECK(contains(config, "\nswap: 512\n"));  // the last one wins
}

void stop_and_start(Bench& bench) {
  const std::string used = "/sys/bus/pci/devices/0000:83:00.0/mem_info_vram_used";
  CHECK(bench.read(used) != "25165824\n");
  const CommandEnd stopped = bench.pct({"stop", "123"});
  CHECK(stopped.success());
  CHECK(stopped.output.empty());
  CHECK_FALSE(bench.runs(123));
  CHECK_FALSE(bench.exists("/sys/fs/cgroup/lxc/123"));
  CHECK(bench.read(used) == "25165824\n");
  CHECK(bench.pct({"stop", "123"}).errors == "CT 123 not running\n");
  CHECK(bench.pct({"reboot", "123"}).errors == "VM 123 not running\n");
  CHECK(bench.exec(123, {"true"}).errors == "container '123' not running!\n");
  CHECK(bench.pct({"start", "123"}).success());
  CHECK(bench.runs(123));
  CHECK(bench.eventually(
      [&] { return bench.exec(123, {"curl", "-fsS", "http://127.0.0.1:1234/health"}).success(); }));
  CHECK(bench.read(used) != "25165824\n");
}

void a_shutdown_takes_its_time(Bench& bench) {
  bench.poke([](Machine& machine) { machine.model.container(121)->obeys_shutdown = false; });
  const CommandEnd end = bench.pct({"shutdown", "121", "--timeout", "0"}, 10s);
  CHECK(end.code == 255);
  CHECK(end.errors == "container did not stop\n");
  CHECK(end.output == "command 'lxc-stop -n 121 --nokill --timeout 0' failed: exit code 1\n");
  CHECK(bench.pct({"shutdown", "121", "--timeout", "0", "--forceStop", "1"}).success());
  CHECK_FALSE(bench.runs(121));
}

void the_generated_configuration_goes_stale(Bench& bench) {
  const auto generated = [&] { return bench.read("/var/lib/lxc/123/config"); };
  CHECK(
      contains(generated(), "lxc.mount.entry = /dev/dri/by-path/pci-0000:83:00.0-render dev/dri/renderD128"));
  CHECK(bench.pct({"stop", "123"}).success());
  bench.edit(123, [](std::string text) {
    text = replaced(std::move(text), "lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-render",
                    "lxc.signal.halt: 37\n#");
    return text;
  });
  CHECK(contains(generated(), "pci-0000:83:00.0-render"));
  CHECK(bench.pct({"set", "123", "--onboot", "0"}).success());
  CHECK_FALSE(contains(generated(), "pci-0000:83:00.0-render"));
}

void units_answer(Bench& bench) {
  const CommandEnd show = bench.exec(
      120, {"systemctl", "show", "--property=Id,LoadState,ActiveState,SubState,UnitFileState,NRestarts", "--",
            kFirst, kLarge, "nosuch.service"});
  CHECK(show.output ==
        "NRestarts=0\nId=llamacpp.service\nLoadState=loaded\nActiveState=active\nSubState="
        "running\nUnitFileState=enabled\n\n"
        "NRestarts=0\nId=llamacpp-qwen38fn.service\nLoadState=loaded\nActiveState=inactive\nSubState=dead\n"
        "UnitFileState=disabled\n\n"
        "NRestarts=0\nId=nosuch.service\nLoadState=not-found\nActiveState=inactive\nSubState="
        "dead\nUnitFileState=\n");
  CHECK(show.success());
  const CommandEnd active = bench.exec(120, {"systemctl", "is-active", kLarge});
  CHECK(active.code == 3);
  CHECK(active.output == "inactive\n");
  const CommandEnd enabled = bench.exec(120, {"systemctl", "is-enabled", kLarge});
  CHECK(enabled.code == 1);
  CHECK(enabled.output == "disabled\n");
  const CommandEnd missing = bench.exec(120, {"systemctl", "is-enabled", "nosuch.service"});
  CHECK(missing.code == 1);
  CHECK(missing.output.empty());
  CHECK(bench.exec(120, {"nosuch-program"}).code == 127);
}

void units_are_retired_and_enabled(Bench& bench) {
  CHECK(bench.exec(120, {"systemctl", "disable", "--now", kFirst}).success());
  CHECK(bench.unit(120, kFirst, "ActiveState") == "inactive");
  CHECK(bench.unit(120, kFirst, "UnitFileState") == "disabled");
  CHECK(bench.read("/sys/bus/pci/devices/0000:03:00.0/mem_info_vram_used") == "25165824\n");
  bench.poke([](Machine& machine) { machine.unit(120, kFirst)->wanted_by.clear(); });
  const CommandEnd without_install = bench.exec(120, {"systemctl", "enable", kFirst});
  CHECK(without_install.success());  // U05
  CHECK(contains(without_install.errors, "no installation config"));
  CHECK(bench.unit(120, kFirst, "UnitFileState") == "disabled");
  CHECK(bench.exec(120, {"systemctl", "start", "nosuch.service"}).code == 5);
}

void a_killed_unit_comes_back(Bench& bench) {
  CHECK(bench.read(kUnitCgroup + "/cgroup.procs").size() > 1);
  // Longer than two questions take, which in a folder are real programs.
  bench.poke([](Machine& machine) { machine.unit(120, kFirst)->restart_sec = 3s; });
  bench.control(kUnitCgroup + "/cgroup.kill", "1");
  CHECK(bench.unit(120, kFirst, "SubState") == "auto-restart");
  CHECK(bench.unit(120, kFirst, "ActiveState") == "activating");
  CHECK(bench.eventually([&] { return bench.unit(120, kFirst, "NRestarts") == "1"; }));
  CHECK(bench.unit(120, kFirst, "ActiveState") == "active");
}

void a_frozen_unit_waits_with_its_stop(Bench& bench) {
  CHECK(bench.read(kUnitCgroup + "/cgroup.events") == "populated 1\nfrozen 0\n");
  bench.control(kUnitCgroup + "/cgroup.freeze", "1");
  CHECK(bench.read(kUnitCgroup + "/cgroup.events") == "populated 1\nfrozen 1\n");
  const CommandEnd stop = bench.exec(120, {"systemctl", "stop", kFirst}, 300ms);
  CHECK(stop.how == CommandEnd::How::timed_out);
  CHECK(bench.unit(120, kFirst, "SubState") == "stop-sigterm");
  bench.control(kUnitCgroup + "/cgroup.freeze", "0");
  CHECK(bench.eventually([&] { return bench.unit(120, kFirst, "ActiveState") == "inactive"; }));
  CHECK_FALSE(bench.exists(kUnitCgroup));
}

void a_worker_outlives_its_server(Bench& bench) {  // S01, S02
  bench.poke([](Machine& machine) { machine.unit(120, kFirst)->stop = Stop::leaves_worker; });
  CHECK(bench.exec(120, {"systemctl", "stop", kFirst}).success());
  CHECK(bench.unit(120, kFirst, "ActiveState") == "inactive");
  CHECK(bench.read("/sys/bus/pci/devices/0000:03:00.0/mem_info_vram_used") != "25165824\n");
  bench.control(kUnitCgroup + "/cgroup.kill", "1");
  CHECK(bench.read("/sys/bus/pci/devices/0000:03:00.0/mem_info_vram_used") == "25165824\n");
}

void holders_are_in_proc(Bench& bench) {
  int pid = 0;
  bench.poke([&](Machine& machine) { pid = machine.run_by_hand(123, "llama-bench", 20'000 * kMiB, 95).pid; });
  const std::string proc = "/proc/" + std::to_string(pid);
  CHECK(bench.read(proc + "/cgroup") == "0::/lxc/123/ns/.lxc\n");
  CHECK(bench.read(proc + "/comm") == "llama-bench\n");
  const auto names = bench.host().list_folder(proc + "/fdinfo");
  REQUIRE(names);
  const std::string fdinfo = bench.read(proc + "/fdinfo/" + names->back());
  CHECK(contains(fdinfo, "drm-pdev:\t0000:83:00.0\n"));
  CHECK(contains(fdinfo, "drm-memory-vram:\t20480000 KiB\n"));
  CHECK(contains(fdinfo, "drm-engine-compute:\t"));
  CHECK(*bench.host().read_link(proc + "/fd/" + names->back()) == "/dev/dri/renderD128");
  bench.control("/sys/fs/cgroup/lxc/123/ns/.lxc/cgroup.kill", "1");
  CHECK_FALSE(bench.exists(proc));
}

void a_card_is_found_by_its_address(Bench& bench) {
  const std::string card = "/sys/bus/pci/devices/0000:03:00.0";
  CHECK(*bench.host().list_folder(card + "/drm") == std::vector<std::string>{"card1", "renderD129"});
  CHECK(*bench.host().real_path("/dev/dri/by-path/pci-0000:03:00.0-render") == "/dev/dri/renderD129");
  CHECK(*bench.host().real_path("/sys/class/drm/renderD129/device") == *bench.host().real_path(card));
  CHECK(*bench.host().real_path("/sys/dev/char/226:129") ==
        *bench.host().real_path(card) + "/drm/renderD129");
  CHECK(bench.host().real_path(card + "/driver")->ends_with("/drivers/amdgpu"));
  CHECK(bench.read(card + "/power/runtime_status") == "active\n");
  const auto hwmon = bench.host().list_folder(card + "/hwmon");
  REQUIRE(hwmon->size() == 1);
  const std::string sensors = card + "/hwmon/" + hwmon->front();
  CHECK(bench.read(sensors + "/temp2_label") == "junction\n");
  bench.poke([](Machine& machine) {
    machine.model.card("gpu1")->junction = 104'500;
    machine.model.card("gpu1")->since = machine.model.now;
  });
  CHECK(bench.read(sensors + "/temp2_input") == "104500\n");
  const std::string metrics = bench.read(card + "/gpu_metrics");
  REQUIRE(metrics.size() == 120);
  CHECK(metrics[6] == 104);
  CHECK(bench.read(card + "/config").substr(0, 2) == std::string("\x02\x10", 2));
  CHECK(*bench.host().real_path("/etc/pve/lxc/120.conf") == "/etc/pve/nodes/pve/lxc/120.conf");
  CHECK(*bench.host().read_link("/etc/pve/local") == "nodes/pve");
}

void files_inside(Bench& bench) {
  CHECK(bench.exec(120, {"test", "-e", "/etc/llamacpp-qwen38fn.env"}).success());
  CHECK(bench.exec(120, {"test", "-e", "/etc/nosuch"}).code == 1);
  CHECK(bench.exec(120, {"/usr/local/bin/qwen38fn-verify"}).success());
  CHECK(bench.host().replace_file("/run/placed", "A=1\n", 0600, Durability::plain));
  CHECK(bench.pct({"push", "120", "/run/placed", "/etc/placed", "--perms", "0640"}).success());
  CHECK(bench.exec(120, {"cat", "/etc/placed"}).output == "A=1\n");
  CHECK(bench.pct({"push", "120", "/run/nosuch", "/etc/placed"}).code != 0);
}

void health_is_the_units(Bench& bench) {
  const std::vector<std::string> curl = {"curl", "-fsS", "http://127.0.0.1:1234/health"};
  CHECK(bench.exec(120, curl).success());
  CHECK(bench.exec(120, {"systemctl", "stop", kFirst}).success());
  const CommandEnd refused = bench.exec(120, curl);
  CHECK(refused.code == 7);
  CHECK(contains(refused.errors, "Couldn't connect to server"));
  bench.poke([](Machine& machine) { machine.unit(120, kFirst)->load_time = std::chrono::hours(1); });
  CHECK(bench.exec(120, {"systemctl", "start", kFirst}).success());
  CHECK(bench.exec(120, curl).code == 22);
}

void a_model_that_finds_too_few_cards_fails(Bench& bench) {
  CHECK(bench.exec(120, {"systemctl", "start", kLarge}).success());  // U11: exit 0, dead a moment later
  CHECK(bench.eventually([&] { return bench.unit(120, kLarge, "SubState") == "auto-restart"; }));
  CHECK(bench.unit(120, kFirst, "ActiveState") == "inactive");  // Conflicts=
}

void ha_answers_at_once(Bench& bench) {
  CHECK(bench.host().make_folder("/etc/pve/ha", 0755));
  CHECK(bench.host().replace_file("/etc/pve/ha/resources.cfg", "ct: 123\n\tstate started\n", 0640,
                                  Durability::synced));
  const CommandEnd end = bench.pct({"stop", "123"});
  CHECK(end.success());
  CHECK(end.output == "Requesting HA stop for CT 123\n");
  CHECK(bench.runs(123));
}

void a_boot_starts_what_is_marked(Bench& bench) {
  const std::string boot_id = bench.read("/proc/sys/kernel/random/boot_id");
  CHECK(bench.pct({"set", "121", "--onboot", "0"}).success());
  CHECK(bench.exec(120, {"systemctl", "disable", "--now", kFirst}).success());
  bench.poke([](Machine& machine) { machine.boot({}); });
  CHECK(bench.read("/proc/sys/kernel/random/boot_id") != boot_id);
  CHECK(bench.runs(120));
  CHECK_FALSE(bench.runs(121));
  CHECK(bench.eventually([&] { return bench.unit(123, kLarge, "ActiveState") == "active"; }));
  CHECK(bench.unit(120, kFirst, "ActiveState") == "inactive");
}

void double_binding_is_noticed(Bench& bench) {
  bench.poke([](Machine& machine) { CHECK(machine.model.breaches.empty()); });
  bench.edit(121, [](std::string text) { return text + "dev0: /dev/dri/renderD128\n"; });
  bench.poke([](Machine& machine) {
    REQUIRE_FALSE(machine.model.breaches.empty());
    CHECK(machine.model.breaches.front().invariant == "I1");
    CHECK(contains(machine.model.breaches.front().text, "gpu2 (0000:83:00.0) can be held by 121 and 123"));
  });
}

struct Check {
  const char* name;
  void (*run)(Bench&);
};

constexpr Check kChecks[] = {
    {"status and list (1.1, 1.2)", status_and_list},
    {"errors of every verb (1.0)", errors_of_every_verb},
    {"settings of a running container (2)", settings_of_a_running_container},
    {"options, values, deletions (1.0, 1.4)", options_and_values},
    {"the digest is of the file's bytes (1.4)", digest_is_of_the_bytes},
    {"lock: refuses set, stop and shutdown, not exec (1.4 to 1.10)", a_lock_refuses},
    {"a held configuration lock (3)", a_held_lock_is_waited_for},
    {"devN on a running container of Proxmox 9 (2)", devices_attach_and_wait},
    {"devN on a running container of Proxmox 8 (2)", devices_are_pending_before_proxmox_9},
    {"set fails after it wrote (1.4)", set_fails_after_it_wrote},
    {"a stop rewrites the configuration (2)", a_stop_rewrites_the_configuration},
    {"stop, start, reboot and exec (1.5 to 1.9)", stop_and_start},
    {"a shutdown that is not obeyed (1.7)", a_shutdown_takes_its_time},
    {"the generated configuration goes stale (2)", the_generated_configuration_goes_stale},
    {"systemctl's answers (units.md)", units_answer},
    {"units are retired and enabled (U05)", units_are_retired_and_enabled},
    {"cgroup.kill is no stop (4)", a_killed_unit_comes_back},
    {"a frozen unit keeps its SIGTERM waiting (4)", a_frozen_unit_waits_with_its_stop},
    {"a worker outlives its server (S01, S02)", a_worker_outlives_its_server},
    {"holders in /proc, and a benchmark in no unit (S11)", holders_are_in_proc},
    {"a card by its address (amdgpu.md 2)", a_card_is_found_by_its_address},
    {"files inside a container", files_inside},
    {"health", health_is_the_units},
    {"a unit that starts and dies (U11)", a_model_that_finds_too_few_cards_fails},
    {"HA answers at once (1.12)", ha_answers_at_once},
    {"a boot (5)", a_boot_starts_what_is_marked},
    {"a double binding is noticed (I1)", double_binding_is_noticed}};

void run_all(Form form) {
  for (const Check& check : kChecks) {
    DYNAMIC_SECTION(check.name) {
      const auto bench = make_bench(form);
      check.run(*bench);
    }
  }
}

}  // namespace

TEST_CASE("the host in memory does as Proxmox does") {
  run_all(Form::memory);
}

TEST_CASE("the host in a folder does the same") {
  run_all(Form::folder);
}
