// systemctl as systemd 252 answers, in a container or on the host.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "base/text.h"
#include "mocks/pct_parts.h"

namespace interlock::mocks {
namespace {

constexpr Duration kForEver = std::chrono::hours(24);

/// In the order in which the bus gives them, whatever order was asked.
constexpr std::array kProperties = {
    "Type",         "Restart",      "RestartUSec", "MainPID",      "Result",       "NRestarts",
    "ControlGroup", "Id",           "Names",       "WantedBy",     "RequiredBy",   "BoundBy",
    "UpheldBy",     "Conflicts",    "Triggers",    "TriggeredBy",  "Description",  "LoadState",
    "ActiveState",  "FreezerState", "SubState",    "FragmentPath", "UnitFileState"};

struct Request {
  std::string verb;
  std::vector<std::string> units;
  std::vector<std::string> properties;
  bool now = false;
  bool quiet = false;
  bool no_block = false;
  bool value = false;  // --value: without the properties' names
  int signal = SIGTERM;
};

Request read_request(const std::vector<std::string>& words) {
  Request request;
  bool options_over = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&](std::string_view name) -> std::optional<std::string> {
      if (word.starts_with(fmt::format("{}=", name))) return word.substr(name.size() + 1);
      if (word == name && i + 1 < words.size()) return words[++i];
      return std::nullopt;
    };
    if (options_over || !word.starts_with('-')) {
      if (request.verb.empty()) {
        request.verb = word;
      } else {
        request.units.push_back(word.find('.') == std::string::npos ? word + ".service" : word);
      }
    } else if (word == "--") {
      options_over = true;
    } else if (word == "--now") {
      request.now = true;
    } else if (word == "--quiet" || word == "-q") {
      request.quiet = true;
    } else if (word == "--value") {
      request.value = true;
    } else if (word == "--no-block") {
      request.no_block = true;
    } else if (const auto list = word.starts_with("-p") ? value("-p") : value("--property")) {
      for (const std::string_view name : split(*list, ',')) request.properties.emplace_back(name);
    } else if (const auto signal = word.starts_with("-s") ? value("-s") : value("--signal")) {
      request.signal = *signal == "SIGKILL" || *signal == "KILL" || *signal == "9" ? SIGKILL : SIGTERM;
    }
  }
  return request;
}

std::string property(const Machine& machine, int vmid, const std::string& asked, const Unit* unit,
                     std::string_view name) {
  const bool there = unit != nullptr;
  if (name == "Id" || name == "Names") return asked;
  if (name == "LoadState" && there && unit->file.starts_with("masked")) return "masked";
  if (name == "LoadState") return there ? unit->load : "not-found";
  if (name == "ActiveState") return there ? unit->active : "inactive";
  if (name == "SubState") return there ? unit->sub : "dead";
  if (name == "Result") return there && unit->active == "failed" ? "signal" : "success";
  if (name == "NRestarts") return std::to_string(there ? unit->restarts : 0);
  if (name == "FreezerState") return "running";  // a host's cgroup.freeze is not seen from inside
  if (name == "Description") return asked;
  if (!there) return name == "MainPID" ? "0" : "";
  const std::string cgroup = vmid == 0 ? "/system.slice/" + asked : unit_cgroup(vmid, asked);
  if (name == "Type") return unit->stays_activating ? "forking" : "simple";
  if (name == "Restart") {
    return unit->restart == Restart::no ? "no" : unit->restart == Restart::always ? "always" : "on-failure";
  }
  if (name == "RestartUSec")
    return fmt::format("{}s", std::chrono::duration_cast<std::chrono::seconds>(unit->restart_sec).count());
  if (name == "MainPID") {
    for (const Process& process : machine.model.processes) {
      if (process.cgroup == cgroup) return std::to_string(process.pid);
    }
    return "0";
  }
  if (name == "ControlGroup") return unit->active == "active" ? "/system.slice/" + asked : "";
  if (name == "WantedBy") return unit->file == "enabled" ? joined(unit->wanted_by, " ") : "";
  if (name == "Conflicts") return joined(unit->conflicts, " ");
  if (name == "Triggers") return joined(unit->triggers, " ");
  if (name == "TriggeredBy") return joined(unit->triggered_by, " ");
  if (name == "FragmentPath") return "/etc/systemd/system/" + asked;
  if (name == "UnitFileState") return unit->file;
  return {};
}

/// What the host's systemd says of pve-container@N.service.
std::optional<Unit> container_unit(const Machine& machine, const std::string& name) {
  constexpr std::string_view kPrefix = "pve-container@";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const auto vmid =
      parse_number<int>(std::string_view(name).substr(kPrefix.size(), name.find('.') - kPrefix.size()));
  const Container* container = vmid ? machine.model.container(*vmid) : nullptr;
  Unit unit;
  unit.name = name;
  unit.file = "static";
  if (container != nullptr && container->running()) {
    unit.active = "active";
    unit.sub = "running";
  } else if (container != nullptr && container->post_stop_due) {
    unit.active = "deactivating";
    unit.sub = "stop-post";
  }
  return unit;
}

CommandEnd show(const Machine& machine, int vmid, const Request& request, Machine& units) {
  std::string text;
  for (const std::string& name : request.units) {
    if (!text.empty()) text += '\n';
    const auto made = vmid == 0 ? container_unit(machine, name) : std::nullopt;
    const Unit* unit = made ? &*made : units.unit(vmid, name);
    for (const std::string_view known : kProperties) {
      const bool wanted = request.properties.empty() ||
                          std::ranges::find(request.properties, known) != request.properties.end();
      if (!wanted) continue;
      if (!request.value) text += fmt::format("{}=", known);
      text += property(machine, vmid, name, unit, known) + "\n";
    }
  }
  return verbs::done(std::move(text));
}

CommandEnd is_active(Machine& machine, int vmid, const Request& request) {
  std::string text;
  int code = 3;
  for (const std::string& name : request.units) {
    const auto made = vmid == 0 ? container_unit(machine, name) : std::nullopt;
    const Unit* unit = made ? &*made : machine.unit(vmid, name);
    const std::string state = unit == nullptr ? "inactive" : unit->active;
    if (state == "active") code = 0;
    text += state + "\n";
  }
  return verbs::failed(code, {}, request.quiet ? "" : text);
}

CommandEnd is_enabled(Machine& machine, int vmid, const Request& request) {
  std::string text;
  std::string errors;
  int code = 1;
  for (const std::string& name : request.units) {
    const Unit* unit = machine.unit(vmid, name);
    if (unit == nullptr) {
      errors += fmt::format("Failed to get unit file state for {}: No such file or directory\n", name);
      continue;
    }
    const std::string& state = unit->file;
    if (state == "enabled" || state == "enabled-runtime" || state == "static" || state == "indirect" ||
        state == "alias") {
      code = 0;
    }
    text += state + "\n";
  }
  return verbs::failed(code, errors, request.quiet ? "" : text);
}

bool settled(const Unit& unit) {
  return unit.active != "deactivating";
}

CommandEnd stop(Machine& machine, int vmid, const Request& request) {
  for (const std::string& name : request.units) {
    Unit* unit = machine.unit(vmid, name);
    if (unit == nullptr)
      return verbs::failed(5, fmt::format("Failed to stop {0}: Unit {0} not loaded.\n", name));
    machine.stop_unit(vmid, *unit);
    machine.judge_changes();
  }
  if (request.no_block) return verbs::done();
  const auto all_settled = [&] {
    return std::ranges::all_of(request.units, [&](const std::string& name) {
      const Unit* unit = machine.unit(vmid, name);
      return unit == nullptr || (settled(*unit) && unit->stop != Stop::never_answers);
    });
  };
  static_cast<void>(machine.wait_until(all_settled, kForEver));  // systemctl has no limit of its own
  return verbs::done();
}

CommandEnd start(Machine& machine, int vmid, const Request& request, bool again) {
  for (const std::string& name : request.units) {
    if (vmid == 0 && container_unit(machine, name)) {
      const auto number = parse_number<int>(std::string_view(name).substr(14, name.find('.') - 14));
      if (number)
        static_cast<void>(
            machine.start_container(*number, false));  // Type=simple: it answers before it knows
      machine.judge_changes();
      continue;
    }
    Unit* unit = machine.unit(vmid, name);
    if (unit == nullptr)
      return verbs::failed(5, fmt::format("Failed to start {0}: Unit {0} not found.\n", name));
    if (unit->file.starts_with("masked"))
      return verbs::failed(1, fmt::format("Failed to start {0}: Unit {0} is masked.\n", name));
    if (again) {
      machine.stop_unit(vmid, *unit);
      static_cast<void>(
          machine.wait_until([&] { return settled(*machine.unit(vmid, name)); }, kForEver));  // as systemctl
      unit = machine.unit(vmid, name);
    }
    machine.start_unit(vmid, *unit);
    machine.judge_changes();
    if (unit->stays_activating && !request.no_block) {
      static_cast<void>(machine.wait_until([&] { return machine.unit(vmid, name)->sub != "start"; },
                                           kForEver));  // as systemctl
    }
  }
  return verbs::done();
}

CommandEnd enable(Machine& machine, int vmid, const Request& request) {
  std::string said;
  for (const std::string& name : request.units) {
    Unit* unit = machine.unit(vmid, name);
    if (unit == nullptr)
      return verbs::failed(1, fmt::format("Failed to enable unit: Unit file {} does not exist.\n", name));
    if (unit->file.starts_with("masked")) {
      return verbs::failed(
          1, fmt::format("Failed to enable unit: Unit file /etc/systemd/system/{} is masked.\n", name));
    }
    if (unit->wanted_by.empty()) {
      said +=
          "The unit files have no installation config (WantedBy=, RequiredBy=, Also=, Alias= settings).\n";
      continue;
    }
    if (unit->file != "enabled") {
      said += fmt::format("Created symlink /etc/systemd/system/{0}.wants/{1} → /etc/systemd/system/{1}.\n",
                          unit->wanted_by.front(), name);
    }
    machine.enable_unit(*unit);
    machine.judge_changes();
  }
  if (!request.now) return verbs::done({}, said);
  CommandEnd end = start(machine, vmid, request, false);
  end.errors.insert(0, said);
  return end;
}

CommandEnd disable(Machine& machine, int vmid, const Request& request) {
  std::string said;
  for (const std::string& name : request.units) {
    Unit* unit = machine.unit(vmid, name);
    if (unit == nullptr)
      return verbs::failed(1, fmt::format("Failed to disable unit: Unit file {} does not exist.\n", name));
    if (unit->file == "enabled" && !unit->wanted_by.empty()) {
      said += fmt::format("Removed \"/etc/systemd/system/{}.wants/{}\".\n", unit->wanted_by.front(), name);
    }
    machine.disable_unit(*unit);
    machine.judge_changes();
  }
  if (!request.now) return verbs::done({}, said);
  CommandEnd end = stop(machine, vmid, request);
  end.errors.insert(0, said);
  return end;
}

}  // namespace

CommandEnd systemctl(Machine& machine, int vmid, const std::vector<std::string>& words) {
  const Request request = read_request(words);
  if (request.verb == "show") return show(machine, vmid, request, machine);
  if (request.verb == "is-active") return is_active(machine, vmid, request);
  if (request.verb == "is-enabled") return is_enabled(machine, vmid, request);
  if (request.verb == "start") return start(machine, vmid, request, false);
  if (request.verb == "restart") return start(machine, vmid, request, true);
  if (request.verb == "stop") return stop(machine, vmid, request);
  if (request.verb == "enable") return enable(machine, vmid, request);
  if (request.verb == "disable") return disable(machine, vmid, request);
  if (vmid == 0 && (request.verb == "poweroff" || request.verb == "reboot")) {
    machine.model.powered_off = true;
    return verbs::done();
  }
  if (request.verb == "daemon-reload" || request.verb == "reset-failed") return verbs::done();
  if (request.verb == "kill") {
    for (const std::string& name : request.units) {
      std::vector<int> pids;
      for (const Process& process : machine.model.processes) {
        if (below(process.cgroup, vmid == 0 ? "/system.slice/" + name : unit_cgroup(vmid, name)))
          pids.push_back(process.pid);
      }
      for (const int pid : pids) machine.kill_process(pid, request.signal);
    }
    machine.judge_changes();
    return verbs::done();
  }
  return verbs::failed(1, fmt::format("Unknown command verb {}.\n", request.verb));
}

bool systemctl_only_looks(const std::vector<std::string>& words) {
  const std::string verb = read_request(words).verb;
  return verb == "show" || verb == "is-active" || verb == "is-enabled";
}

}  // namespace interlock::mocks
