// Processes, cgroups and what is in a card's memory.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "mocks/machine.h"

namespace interlock::mocks {

Process& Machine::spawn(std::string comm, std::string cmdline, std::string cgroup) {
  Process process;
  process.pid = model.next_pid++;
  process.started = static_cast<std::uint64_t>(to_ns(model.now) / 10'000'000);
  process.comm = std::move(comm);
  process.cmdline = std::move(cmdline);
  process.cgroup = std::move(cgroup);
  return model.processes.emplace_back(std::move(process));
}

Process& Machine::run_by_hand(int vmid, const std::string& comm, Bytes memory, int busy_percent,
                              const std::string& place) {
  load_changes();
  Process& process = spawn(
      comm, comm,
      vmid == 0 ? "/user.slice/user-0.slice/session-1.scope" : fmt::format("/lxc/{}/ns{}", vmid, place));
  std::set<std::string> visible;
  if (const Container* container = model.container(vmid)) visible = container->live;
  if (vmid == 0) {
    for (const Card& card : model.cards) visible.insert(card.pci);
  }
  for (const std::string& pci : visible) {
    Open open;
    open.pci = pci;
    open.client = model.next_client++;
    open.memory = memory;
    open.engine_at = model.now;
    open.engine_ns = busy_percent > 0 ? 1'000'000 : 0;
    open.busy_percent = busy_percent;
    process.opens.push_back(std::move(open));
  }
  return process;
}

/// Temperatures and engine times go on from what they are now at another pace.
void Machine::load_changes() {
  for (Card& card : model.cards) {
    const Temperatures now = temperatures(model, card);
    card.edge = now.edge;
    card.junction = now.junction;
    card.memory_temp = now.memory;
    card.since = model.now;
  }
  for (Process& process : model.processes) {
    for (Open& open : process.opens) {
      open.engine_ns = engine_ns(model, process, open);
      open.engine_at = model.now;
    }
  }
}

void Machine::remove_processes(const std::function<bool(const Process&)>& which) {
  load_changes();
  std::erase_if(model.processes, [&](const Process& process) {
    if (process.unkillable || !which(process)) return false;
    for (const Open& open : process.opens) {
      Card* card = model.card(open.pci);
      if (card == nullptr || card->lingers == Duration{}) continue;
      card->leftover += open.memory;
      Event event;
      event.kind = Event::Kind::memory_returned;
      event.subject = open.pci;
      event.bytes = open.memory;
      later(card->lingers, std::move(event));
    }
    return true;
  });
  std::erase_if(model.frozen, [&](const std::string& cgroup) { return !cgroup_exists(cgroup); });
}

void Machine::kill_process(int pid, int signal) {
  const Process* process = model.process(pid);
  if (process == nullptr) return;
  const bool fatal = signal == SIGKILL || ((signal == SIGTERM || signal == SIGINT) &&
                                           !process->ignores_term && !is_frozen(model, process->cgroup));
  if (!fatal || process->unkillable) return;
  const Process gone = *process;
  remove_processes([&](const Process& it) { return it.pid == pid; });
  const auto vmid = container_of(gone.cgroup);
  if (vmid && gone.cgroup == fmt::format("/lxc/{}/ns/init.scope", *vmid)) return kill_container(*vmid);
  if (gone.cgroup.starts_with("/lxc.monitor/")) {
    const auto of = gone.cgroup.substr(std::string_view("/lxc.monitor/").size());
    for (const Container& container : model.containers) {
      if (std::to_string(container.vmid) == of) return kill_container(container.vmid);
    }
  }
  for (Container& container : model.containers) {
    for (Unit& unit : container.units) {
      if (gone.cgroup == unit_cgroup(container.vmid, unit.name))
        unit_ended(container.vmid, unit, signal != SIGKILL);
    }
  }
  for (Unit& unit : model.host_units) {
    if (gone.cgroup == "/system.slice/" + unit.name) unit_ended(0, unit, signal != SIGKILL);
  }
}

void Machine::kill_cgroup(const std::string& cgroup) {
  std::vector<int> pids;
  for (const Process& process : model.processes) {
    if (below(process.cgroup, cgroup)) pids.push_back(process.pid);
  }
  for (const int pid : pids) kill_process(pid, SIGKILL);
}

void Machine::freeze_cgroup(const std::string& cgroup, bool frozen) {
  load_changes();
  if (frozen) {
    model.frozen.insert(cgroup);
    return;
  }
  model.frozen.erase(cgroup);
  // Signals that waited arrive now.
  for (const Container& container : model.containers) {
    for (const Unit& unit : container.units) {
      const bool stopping = unit.sub == "stop-sigterm" && unit.stop != Stop::ignores_term;
      if (!stopping || !below(unit_cgroup(container.vmid, unit.name), cgroup)) continue;
      Event event;
      event.kind = Event::Kind::unit_stopped;
      event.vmid = container.vmid;
      event.subject = unit.name;
      later(model.pace.unit_stop, std::move(event));
    }
  }
}

bool Machine::cgroup_exists(const std::string& cgroup) const {
  if (std::ranges::any_of(model.processes, [&](const Process& it) { return below(it.cgroup, cgroup); }))
    return true;
  const auto vmid = container_of(cgroup);
  const Container* container = vmid ? model.container(*vmid) : nullptr;
  if (container == nullptr || !container->running()) return false;
  const std::string top = fmt::format("/lxc/{}", *vmid);
  if (cgroup == top || cgroup == top + "/ns" || cgroup == top + "/ns/system.slice") return true;
  return std::ranges::any_of(container->units, [&](const Unit& unit) {
    return unit.active == "active" && cgroup == unit_cgroup(*vmid, unit.name);
  });
}

}  // namespace interlock::mocks
