// What systemd does with its units, in a container or on the host.
#include <fmt/format.h>

#include <algorithm>

#include "mocks/machine.h"

namespace interlock::mocks {
namespace {

constexpr Bytes kIdleMemory = 2 * kMiB;  // of a client that has a node open and does nothing
constexpr int kServingLoad = 60;         // percent of engine time while it serves
constexpr Duration kSoon = std::chrono::milliseconds(200);

std::string cgroup_of(int vmid, const Unit& unit) {
  return vmid == 0 ? "/system.slice/" + unit.name : unit_cgroup(vmid, unit.name);
}

/// Where the process is that has the cards.
std::string card_cgroup(int vmid, const Unit& unit) {
  return unit.worker_place.empty() ? cgroup_of(vmid, unit)
                                   : fmt::format("/lxc/{}/ns{}", vmid, unit.worker_place);
}

Event about(Event::Kind kind, int vmid, const Unit& unit) {
  Event event;
  event.kind = kind;
  event.vmid = vmid;
  event.subject = unit.name;
  return event;
}

void set_state(Unit& unit, std::string active, std::string sub) {
  unit.active = std::move(active);
  unit.sub = std::move(sub);
}

}  // namespace

Unit* Machine::unit(int vmid, std::string_view name) {
  if (vmid == 0) return find_unit(model.host_units, name);
  Container* container = model.container(vmid);
  return container == nullptr ? nullptr : find_unit(container->units, name);
}

void Machine::start_unit(int vmid, Unit& unit) {
  if (unit.active == "active" || unit.sub == "start") return;
  cancel(Event::Kind::unit_start, vmid, unit.name);
  for (const std::string& name : unit.conflicts) {
    if (Unit* other = this->unit(vmid, name)) stop_unit(vmid, *other);
  }
  if (!unit.name.ends_with(".service")) return set_state(unit, "active", "listening");
  const Container* container = model.container(vmid);
  const std::set<std::string> visible = container == nullptr ? std::set<std::string>{} : container->live;
  unit.started = model.now;
  unit.loaded = false;
  set_state(unit, unit.stays_activating ? "activating" : "active",
            unit.stays_activating ? "start" : "running");
  load_changes();
  const auto launch = [&](const std::string& cgroup) -> Process& {
    Process& process = spawn(unit.command, unit.command, cgroup);
    process.ignores_term = unit.stop == Stop::ignores_term;
    process.unkillable = unit.stop == Stop::unkillable;
    return process;
  };
  if (!unit.worker_place.empty()) launch(cgroup_of(vmid, unit));
  Process& process = launch(card_cgroup(vmid, unit));
  for (const std::string& pci : unit.cards > 0 ? visible : std::set<std::string>{}) {
    Open open;
    open.pci = pci;
    open.client = model.next_client++;
    open.memory = kIdleMemory;
    open.engine_at = model.now;
    process.opens.push_back(std::move(open));
  }
  if (static_cast<int>(visible.size()) < unit.cards && !unit.cpu_fallback) {
    later(kSoon, about(Event::Kind::unit_dies, vmid, unit));  // no room for the model
  } else {
    later(unit.load_time, about(Event::Kind::unit_loaded, vmid, unit));
  }
  if (unit.dies_after) later(*unit.dies_after, about(Event::Kind::unit_dies, vmid, unit));
}

void Machine::stop_unit(int vmid, Unit& unit) {
  cancel(Event::Kind::unit_start, vmid, unit.name);
  if (unit.sub == "auto-restart" || !unit.name.ends_with(".service"))
    return set_state(unit, "inactive", "dead");
  if (unit.active != "active" && unit.sub != "start") return;
  set_state(unit, "deactivating", "stop-sigterm");
  later(unit.stop_limit, about(Event::Kind::unit_stop_limit, vmid, unit));
  const bool waits = unit.stop == Stop::ignores_term || is_frozen(model, cgroup_of(vmid, unit));
  if (!waits) later(model.pace.unit_stop, about(Event::Kind::unit_stopped, vmid, unit));
}

void Machine::enable_unit(Unit& unit) {
  if (unit.wanted_by.empty() || unit.file == "masked") return;
  unit.file = "enabled";
}

void Machine::disable_unit(Unit& unit) {
  if (unit.file == "enabled" || unit.file == "enabled-runtime") unit.file = "disabled";
}

/// Its main process is gone. `clean`: asked for, or with success.
void Machine::unit_ended(int vmid, Unit& unit, bool clean) {
  for (const auto kind : {Event::Kind::unit_loaded, Event::Kind::unit_dies, Event::Kind::unit_stopped,
                          Event::Kind::unit_stop_limit}) {
    cancel(kind, vmid, unit.name);
  }
  unit.loaded = false;
  const bool asked = unit.active == "deactivating";
  if (unit.active != "active" && unit.sub != "start" && !asked) return;
  if (!asked && (unit.restart == Restart::always || (unit.restart == Restart::on_failure && !clean))) {
    set_state(unit, "activating", "auto-restart");
    return later(unit.restart_sec, about(Event::Kind::unit_start, vmid, unit));
  }
  if (asked || clean) return set_state(unit, "inactive", "dead");
  set_state(unit, "failed", "failed");
}

void Machine::happen_to_unit(const Event& event) {
  Unit* unit = this->unit(event.vmid, event.subject);
  if (unit == nullptr) return;
  const std::string cgroup = cgroup_of(event.vmid, *unit);
  const std::string cards_at = card_cgroup(event.vmid, *unit);
  const auto its_own = [&](const Process& process) { return below(process.cgroup, cgroup); };
  switch (event.kind) {
    case Event::Kind::unit_start:
      ++unit->restarts;
      set_state(*unit, "inactive", "dead");
      return start_unit(event.vmid, *unit);
    case Event::Kind::unit_loaded: {
      load_changes();
      unit->loaded = true;
      for (Process& process : model.processes) {
        if (!below(process.cgroup, cards_at)) continue;
        int left = unit->cards;
        for (Open& open : process.opens) {
          if (left-- <= 0) break;
          open.memory = unit->memory;
          open.engine_ns = 5'000'000;
          open.engine_at = model.now;
          open.busy_percent = kServingLoad;
        }
      }
      return;
    }
    case Event::Kind::unit_dies:
      remove_processes(its_own);
      return unit_ended(event.vmid, *unit, false);
    case Event::Kind::unit_stopped:
      if (is_frozen(model, cgroup)) return;  // the signal waits
      if (unit->stop == Stop::leaves_worker) {
        for (Process& process : model.processes) {
          if (its_own(process)) process.comm = "llama-worker";
        }
      } else {
        remove_processes(its_own);
        if (std::ranges::any_of(model.processes, its_own)) return;  // unkillable
      }
      return unit_ended(event.vmid, *unit, true);
    case Event::Kind::unit_stop_limit:
      remove_processes(its_own);
      if (std::ranges::any_of(model.processes, its_own))
        return set_state(*unit, "deactivating", "final-sigkill");
      unit_ended(event.vmid, *unit, true);
      return set_state(*unit, "failed", "failed");
    default:
      return;
  }
}

}  // namespace interlock::mocks
