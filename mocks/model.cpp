#include "mocks/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace interlock::mocks {
namespace {

template <class Range, class Predicate>
auto* find_in(Range& range, Predicate predicate) {
  const auto found = std::ranges::find_if(range, predicate);
  return found == range.end() ? nullptr : &*found;
}

std::uint64_t growth(const Model& model, const Open& open) {
  const auto passed =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, (model.now - open.engine_at).count()));
  return passed / 100 * static_cast<std::uint64_t>(open.busy_percent);
}

}  // namespace

Container* Model::container(int vmid) {
  return find_in(containers, [&](const Container& it) { return it.vmid == vmid; });
}
const Container* Model::container(int vmid) const {
  return find_in(containers, [&](const Container& it) { return it.vmid == vmid; });
}
Card* Model::card(std::string_view id_or_pci) {
  return find_in(cards, [&](const Card& it) { return it.id == id_or_pci || it.pci == id_or_pci; });
}
const Card* Model::card(std::string_view id_or_pci) const {
  return find_in(cards, [&](const Card& it) { return it.id == id_or_pci || it.pci == id_or_pci; });
}
Process* Model::process(int pid) {
  return find_in(processes, [&](const Process& it) { return it.pid == pid; });
}
const Process* Model::process(int pid) const {
  return find_in(processes, [&](const Process& it) { return it.pid == pid; });
}

std::string Model::config_path(int vmid) const {
  return fmt::format("/etc/pve/nodes/{}/lxc/{}.conf", node, vmid);
}

const std::string* Model::config(int vmid) const {
  const auto found = files.find(config_path(vmid));
  return found == files.end() ? nullptr : &found->second.text;
}

Unit* find_unit(std::vector<Unit>& units, std::string_view name) {
  return find_in(units, [&](const Unit& it) { return it.name == name; });
}
const Unit* find_unit(const std::vector<Unit>& units, std::string_view name) {
  return find_in(units, [&](const Unit& it) { return it.name == name; });
}

std::string generated_path(int vmid) {
  return fmt::format("/var/lib/lxc/{}/config", vmid);
}
std::string lock_path(int vmid) {
  return fmt::format("/run/lock/lxc/pve-config-{}.lock", vmid);
}
std::string unit_cgroup(int vmid, std::string_view unit) {
  return fmt::format("/lxc/{}/ns/system.slice/{}", vmid, unit);
}

std::optional<int> container_of(std::string_view cgroup) {
  constexpr std::string_view kPrefix = "/lxc/";
  if (!cgroup.starts_with(kPrefix)) return std::nullopt;
  cgroup.remove_prefix(kPrefix.size());
  return parse_number<int>(cgroup.substr(0, cgroup.find('/')));
}

bool below(std::string_view cgroup, std::string_view top) {
  if (top == "/" || top.empty()) return true;
  return cgroup.starts_with(top) && (cgroup.size() == top.size() || cgroup[top.size()] == '/');
}

bool is_frozen(const Model& model, std::string_view cgroup) {
  return std::ranges::any_of(model.frozen, [&](const std::string& top) { return below(cgroup, top); });
}

std::uint64_t engine_ns(const Model& model, const Process& process, const Open& open) {
  return open.engine_ns + (is_frozen(model, process.cgroup) ? 0 : growth(model, open));
}

bool is_worked_on(const Model& model, const Card& card) {
  return std::ranges::any_of(model.processes, [&](const Process& process) {
    return std::ranges::any_of(process.opens, [&](const Open& open) {
      return open.pci == card.pci && open.busy_percent > 0 && !is_frozen(model, process.cgroup);
    });
  });
}

Bytes memory_used(const Model& model, const Card& card) {
  Bytes used = card.vram_base + card.leftover;
  for (const Process& process : model.processes) {
    for (const Open& open : process.opens) {
      if (open.pci == card.pci) used += open.memory + open.kfd_memory;
    }
  }
  return used;
}

Temperatures temperatures(const Model& model, const Card& card) {
  constexpr std::int64_t kAmbient = 40000;
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(model.now - card.since).count();
  const std::int64_t change = (is_worked_on(model, card) ? card.heating : -card.cooling) * ms / 1000;
  const auto moved = [&](std::int64_t value) {
    return change < 0 ? std::min(value, std::max(kAmbient, value + change)) : value + change;
  };
  return {moved(card.edge), moved(card.junction), moved(card.memory_temp)};
}

}  // namespace interlock::mocks
