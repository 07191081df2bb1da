// Containers start, stop and come back; the host loses power and boots (pct.md, sections 2 and 5).
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "mocks/grants.h"
#include "mocks/machine.h"

namespace interlock::mocks {
namespace {

constexpr Duration kHaRound = std::chrono::seconds(10);

Event about(Event::Kind kind, int vmid) {
  Event event;
  event.kind = kind;
  event.vmid = vmid;
  return event;
}

std::string value_of(const Section& section, const std::string& key, std::string otherwise) {
  const auto found = section.keys.find(key);
  return found == section.keys.end() ? std::move(otherwise) : found->second;
}

/// The raw lines of a generated configuration, "key = value".
std::vector<std::pair<std::string, std::string>> generated_lines(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const std::string_view line : lines_of(text)) {
    const auto sign = line.find(" = ");
    if (sign != std::string_view::npos) lines.emplace_back(line.substr(0, sign), line.substr(sign + 3));
  }
  return lines;
}

/// `startup: order=3,up=30`; none is last.
int startup_order(const Section& main) {
  for (const std::string_view piece : split(value_of(main, "startup", ""), ',')) {
    std::string_view number = piece;
    if (number.starts_with("order=")) number.remove_prefix(6);
    if (const auto order = parse_number<int>(number)) return *order;
  }
  return 1'000'000;
}

bool started(const std::optional<std::string>& ha) {
  return ha && (*ha == "started" || *ha == "enabled");
}

}  // namespace

std::optional<std::string> Machine::regenerate(int vmid) {
  const std::string* text = model.config(vmid);
  if (text == nullptr)
    return fmt::format("Configuration file 'nodes/{}/lxc/{}.conf' does not exist", model.node, vmid);
  const auto config = parsed(*text);
  const Section& main = config->main;
  const std::string generated = generated_path(vmid);
  if (is_set(main, "template")) {
    erase(generated);
    return std::nullopt;
  }
  std::string out = fmt::format(
      "lxc.cgroup.relative = 0\nlxc.cgroup.dir.monitor = lxc.monitor/{0}\nlxc.cgroup.dir.container = "
      "lxc/{0}\n"
      "lxc.cgroup.dir.container.inner = ns\nlxc.arch = {1}\nlxc.include = "
      "/usr/share/lxc/config/{2}.common.conf\n",
      vmid, value_of(main, "arch", "amd64"), value_of(main, "ostype", "debian"));
  if (is_set(main, "unprivileged")) {
    out += fmt::format("lxc.include = /usr/share/lxc/config/{}.userns.conf\n",
                       value_of(main, "ostype", "debian"));
    out += "lxc.idmap = u 0 100000 65536\nlxc.idmap = g 0 100000 65536\n";
  }
  const auto mib = parse_number<std::uint64_t>(value_of(main, "memory", "512"));
  if (mib) out += fmt::format("lxc.cgroup2.memory.max = {}\n", *mib * kMiB);
  out += fmt::format("lxc.uts.name = {}\n", value_of(main, "hostname", fmt::format("CT{}", vmid)));
  if (auto missing = grants(model, main, {}).missing)
    return fmt::format("Device {} does not exist", *missing);
  for (const auto& [key, value] : main.keys) {
    if (!is_device_key(key)) continue;
    for (const DeviceNode& node : nodes_of_device(model, value)) {
      out += fmt::format("lxc.cgroup2.devices.allow = c 226:{} rw\n", node.minor);
    }
  }
  for (const auto& [key, value] : main.raw) out += fmt::format("{} = {}\n", key, value);
  if (const auto old = model.files.find(generated); old == model.files.end() || old->second.text != out) {
    store(generated, std::move(out));
  }
  return std::nullopt;
}

std::optional<std::string> Machine::start_container(int vmid, bool by_proxmox) {
  if (const std::string* text = model.config(vmid); by_proxmox && text != nullptr) {
    if (const auto config = parsed(*text); !config->pending.keys.empty()) {
      store(model.config_path(vmid), print(with_pending(*config)));
    }
    if (auto why = regenerate(vmid)) return why;
  }
  if (auto why = gate_refusal(vmid)) return why;
  Container* container = model.container(vmid);  // looked up after the gate, which may do much
  const std::string* text = model.config(vmid);
  if (container == nullptr || text == nullptr) return fmt::format("no such container: {}", vmid);
  const auto config = parsed(*text);
  if (const std::string lock = value_of(config->main, "lock", ""); !lock.empty() && lock != "mounted") {
    return fmt::format("CT is locked ({})", lock);
  }
  const auto generated = model.files.find(generated_path(vmid));
  if (generated == model.files.end()) return fmt::format("no configuration file for container {}", vmid);
  const Grants given = grants(model, config->main, generated_lines(generated->second.text));
  if (given.missing) return fmt::format("Device {} does not exist", *given.missing);
  if (!container->starts) return "lxc_init: failed to run the pre-start hook";
  cancel(Event::Kind::post_stop, vmid, "");
  container->post_stop_due = false;
  container->state = Container::State::running;
  container->live = given.cards;
  spawn("lxc-start", fmt::format("/usr/bin/lxc-start -F -n {}", vmid), fmt::format("/lxc.monitor/{}", vmid));
  spawn("systemd", "/sbin/init", fmt::format("/lxc/{}/ns/init.scope", vmid));
  later(model.pace.guest_up, about(Event::Kind::guest_up, vmid));
  return std::nullopt;
}

void Machine::guest_is_up(int vmid) {
  Container* container = model.container(vmid);
  if (container == nullptr || container->state != Container::State::running) return;
  for (Unit& unit : container->units) {
    if (unit.file == "enabled") start_unit(vmid, unit);
  }
}

void Machine::kill_container(int vmid) {
  Container* container = model.container(vmid);
  if (container == nullptr || !container->running()) return;
  const std::string inside = fmt::format("/lxc/{}", vmid);
  remove_processes([&](const Process& process) { return below(process.cgroup, inside); });
  container->state = Container::State::stopping;
  for (Unit& unit : container->units) {
    std::erase_if(model.events,
                  [&](const Event& event) { return event.vmid == vmid && event.subject == unit.name; });
    unit.active = "inactive";
    unit.sub = "dead";
    unit.restarts = 0;
    unit.loaded = false;
    if (unit.file == "enabled-runtime") unit.file = "disabled";  // its /run is gone
    if (unit.file == "masked-runtime") unit.file = "enabled";
  }
  cancel(Event::Kind::guest_up, vmid, "");
  cancel(Event::Kind::shut_down, vmid, "");
  const bool stuck = std::ranges::any_of(
      model.processes, [&](const Process& process) { return below(process.cgroup, inside); });
  if (!stuck) finish_stop(vmid);
}

/// The monitor ends: the socket is gone. The post-stop hook has read the configuration, and will write it
/// back.
void Machine::finish_stop(int vmid) {
  Container* container = model.container(vmid);
  container->state = Container::State::stopped;
  container->live.clear();
  container->post_stop_due = true;
  const std::string monitor = fmt::format("/lxc.monitor/{}", vmid);
  remove_processes([&](const Process& process) { return process.cgroup == monitor; });
  Event event = about(Event::Kind::post_stop, vmid);
  if (const std::string* text = model.config(vmid)) event.text = *text;
  later(model.pace.post_stop, std::move(event));
}

void Machine::run_post_stop(const Event& event) {
  Container* container = model.container(event.vmid);
  if (container == nullptr) return;
  container->post_stop_due = false;
  if (const std::string* text = model.config(event.vmid)) {
    std::string written = print(with_pending(*parsed(event.text)));
    if (written != *text) store(model.config_path(event.vmid), std::move(written));
    static_cast<void>(regenerate(event.vmid));  // the hook only logs a failure
  }
  if (started(ha_state(model, event.vmid))) later(kHaRound, about(Event::Kind::container_start, event.vmid));
}

void Machine::shut_down_container(int vmid) {
  Container* container = model.container(vmid);
  const std::string inside = fmt::format("/lxc/{}/ns/init.scope", vmid);
  if (container == nullptr || !container->running() || !container->obeys_shutdown || is_frozen(model, inside))
    return;
  container->state = Container::State::stopping;
  later(model.pace.container_stop, about(Event::Kind::shut_down, vmid));
}

bool Machine::fully_stopped(int vmid) const {
  const Container* container = model.container(vmid);
  return container != nullptr && !container->running() && !container->post_stop_due;
}

void put_to_rest(Container& container) {
  container.state = Container::State::stopped;
  container.post_stop_due = false;
  container.live.clear();
  for (Unit& unit : container.units) {
    unit.active = "inactive";
    unit.sub = "dead";
    unit.restarts = 0;
    unit.loaded = false;
    if (unit.file == "enabled-runtime") unit.file = "disabled";
    if (unit.file == "masked-runtime") unit.file = "enabled";
  }
}

void Machine::power_off(const BootOptions& options) {
  for (int lost = 0; lost < options.lost_writes && !model.unsynced.empty(); ++lost) {
    const PveWrite write = std::move(model.unsynced.back());
    model.unsynced.pop_back();
    if (write.before) {
      model.files[write.path] = {*write.before, 0640, model.next_version++};
    } else {
      model.files.erase(write.path);
    }
  }
  model.unsynced.clear();
  ++model.pve_version;
  model.processes.clear();
  model.events.clear();
  model.frozen.clear();
  model.locks.clear();
  model.workers.clear();
  std::erase_if(model.files, [](const auto& entry) { return entry.first.starts_with("/run/"); });
  std::erase_if(model.folders, [](const auto& entry) { return entry.starts_with("/run/"); });
  model.folders.insert("/run/lock/lxc");
  for (Container& container : model.containers) put_to_rest(container);
  for (Unit& unit : model.host_units) {
    unit.active = "inactive";
    unit.sub = "dead";
  }
  for (Card& card : model.cards) {
    card.leftover = 0;
    card.edge = card.junction = card.memory_temp = 42000;
    card.since = model.now;
  }
}

void Machine::renumber_cards() {
  if (model.cards.size() < 2) return;
  std::swap(model.cards[0].card, model.cards[1].card);
  std::swap(model.cards[0].render, model.cards[1].render);
  std::swap(model.cards[0].hwmon, model.cards[1].hwmon);
}

void Machine::boot(const BootOptions& options) {
  power_off(options);
  ++model.boots;
  model.boot_id = fmt::format("6f1c5a52-0000-4000-8000-{:012x}", model.boots);
  if (options.renumber) renumber_cards();
  spawn("systemd", "/sbin/init", "/init.scope").pid = 1;
  for (Unit& unit : model.host_units) {
    if (unit.file == "enabled") start_unit(0, unit);
  }
  before_guests();
  start_guests();
  judge_changes();
}

/// pve-guests.service, lxc.service and the HA manager.
void Machine::start_guests() {
  if (!model.quorate || !model.pve_mounted) return;
  struct Start {
    int order = 0;
    int vmid = 0;
    bool by_proxmox = true;
  };
  std::vector<Start> starts;
  for (const Container& container : model.containers) {
    const std::string* text = model.config(container.vmid);
    if (text == nullptr) continue;
    Config config = *parsed(*text);
    if (value_of(config.main, "lock", "") == "backup") {
      config.main.keys.erase("lock");
      store(model.config_path(container.vmid), print(config));
    }
    const auto ha = ha_state(model, container.vmid);
    const bool locked = config.main.keys.contains("lock") || is_set(config.main, "template");
    const bool raw = std::ranges::any_of(config.main.raw, [](const auto& line) {
      return line.first == "lxc.start.auto" && truthy(line.second);
    });
    if (started(ha) || (!ha && is_set(config.main, "onboot") && !locked)) {
      starts.push_back({startup_order(config.main), container.vmid, true});
    } else if (raw) {
      starts.push_back({-1, container.vmid, false});
    }
  }
  std::ranges::stable_sort(starts, {}, [](const Start& start) { return std::pair(start.order, start.vmid); });
  for (const Start& start : starts) {
    if (const Container* container = model.container(start.vmid);
        container == nullptr || container->running())
      continue;
    static_cast<void>(start_container(start.vmid, start.by_proxmox));  // a failed one is only logged
    judge_changes();
  }
}

}  // namespace interlock::mocks
