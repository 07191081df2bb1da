#include "mocks/two_v620.h"

#include "mocks/mock_host.h"
#include "mocks/two_v620_files.h"

namespace interlock::mocks {
namespace {

Unit model_server(std::string name, int cards, Bytes memory, Duration load_time,
                  std::vector<std::string> conflicts) {
  Unit unit;
  unit.name = std::move(name);
  unit.cards = cards;
  unit.memory = memory;
  unit.load_time = load_time;
  unit.conflicts = std::move(conflicts);
  unit.port = 1234;
  return unit;
}

Container container(int vmid, std::vector<Unit> units) {
  Container result;
  result.vmid = vmid;
  result.units = std::move(units);
  return result;
}

Card card(std::string id, std::string pci, std::string unique_id, int card_number, int render, int hwmon) {
  Card result;
  result.id = std::move(id);
  result.pci = std::move(pci);
  result.unique_id = std::move(unique_id);
  result.card = card_number;
  result.render = render;
  result.hwmon = hwmon;
  result.heating = 400;
  result.cooling = 900;
  return result;
}

void add_containers(Model& model) {
  Unit large = model_server("llamacpp-qwen38fn.service", 2, 28'900 * kMiB, std::chrono::seconds(44),
                            {"llamacpp.service"});
  Unit first = model_server("llamacpp.service", 1, 25'368 * kMiB, std::chrono::seconds(41), {large.name});
  Unit second = model_server(large.name, 1, 27'100 * kMiB, std::chrono::seconds(43), {});
  first.file = "enabled";
  second.file = "enabled";
  Unit agent;
  agent.name = "agent.service";
  agent.file = "enabled";
  agent.command = "agent";
  model.containers = {container(120, {first, large}), container(121, {agent}), container(123, {second})};
  for (const int vmid : {120, 123}) {
    Container& it = *model.container(vmid);
    it.files["/etc/llamacpp-qwen38fn.env"] = "MODEL=\"/models/qwen3.8-flash-next.gguf\"\n";
    it.commands["/usr/local/bin/qwen38fn-verify"] = {};
  }
}

void add_files(Model& model) {
  model.links = {{"/etc/pve/local", "nodes/pve"},
                 {"/etc/pve/lxc", "nodes/pve/lxc"},
                 {"/etc/pve/qemu-server", "nodes/pve/qemu-server"},
                 {"/var/lock", "/run/lock"},
                 {"/var/run", "/run"}};
  model.folders = {"/etc/gpu-interlock",
                   "/etc/pve/nodes/pve/lxc",
                   "/etc/pve/nodes/pve/qemu-server",
                   "/etc/systemd/system",
                   "/run",
                   "/run/lock/lxc",
                   "/usr/sbin",
                   "/var/lib/lxc/120",
                   "/var/lib/lxc/121",
                   "/var/lib/lxc/123",
                   "/var/lib/pve-cluster"};
  model.files["/etc/pve/nodes/pve/lxc/120.conf"] = {kConfig120, 0640, 1};
  model.files["/etc/pve/nodes/pve/lxc/121.conf"] = {kConfig121, 0640, 2};
  model.files["/etc/pve/nodes/pve/lxc/123.conf"] = {kConfig123, 0640, 3};
  model.files["/var/lib/pve-cluster/config.db-wal"] = {"", 0600, 4};
  const std::string cpus = "/sys/devices/system/cpu/cpufreq/policy0/";
  model.files[cpus + "affected_cpus"] = {"0 1 2 3\n", 0444, 5};
  model.files[cpus + "scaling_driver"] = {"acpi-cpufreq\n", 0444, 6};
  model.files[cpus + "scaling_governor"] = {"performance\n", 0644, 7};
  model.files["/usr/sbin/pct"] = {"", 0755, 8};
  model.files["/usr/bin/systemctl"] = {"", 0755, 9};
  model.next_version = 10;
}

}  // namespace

Model two_v620_off() {
  Model model;
  model.cards = {card("gpu1", "0000:03:00.0", "4c8e1f2a7b305d91", 1, 129, 2),
                 card("gpu2", "0000:83:00.0", "7a3b1c5d9e2f4a60", 2, 128, 3)};
  add_containers(model);
  add_files(model);
  model.boots = 0;
  return model;
}

void quicken(Model& model) {
  using std::chrono::milliseconds;
  model.pace = {.pct = {},
                .container_start = milliseconds(40),
                .container_stop = milliseconds(60),
                .post_stop = milliseconds(20),
                .guest_up = milliseconds(40),
                .unit_stop = milliseconds(30)};
  for (Container& container : model.containers) {
    for (Unit& unit : container.units) {
      unit.load_time = milliseconds(unit.cards > 0 ? 250 : 0);
      unit.restart_sec = milliseconds(500);
      unit.stop_limit = std::chrono::seconds(3);
    }
  }
  for (Card& card : model.cards) card.heating = card.cooling = 0;
}

Model started(Model off, Duration uptime) {
  off.now = instant_from_ns(0);
  MockHost host(std::move(off));
  host.boot({});
  host.machine().pass(uptime);
  host.machine().barrier();
  return host.model();
}

Model two_v620() {
  static const Model up = [] {
    Model model = started(two_v620_off(), std::chrono::hours(1));
    for (Card& it : model.cards) {
      it.edge = it.id == "gpu1" ? 55'000 : 64'000;  // both loaded, one blower each
      it.junction = it.id == "gpu1" ? 62'000 : 73'000;
      it.memory_temp = it.id == "gpu1" ? 60'000 : 68'000;
      it.heating = 0;
      it.cooling = 0;
      it.since = model.now;
    }
    return model;
  }();
  return up;
}

}  // namespace interlock::mocks
