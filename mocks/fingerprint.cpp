#include "mocks/fingerprint.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace interlock::mocks {
namespace {

constexpr std::size_t kMostLost = 3;  // writes below /etc/pve that a power cut is made to lose

std::uint64_t ns(Duration duration) {
  return static_cast<std::uint64_t>(duration.count());
}

void add_unit(Hasher& hasher, const Unit& unit) {
  hasher.add(unit.name).add(unit.load).add(unit.file).add(unit.active).add(unit.sub);
  hasher.add(static_cast<std::uint64_t>(unit.stop)).add(unit.loaded ? 1U : 0U);
  hasher.add_each(unit.wanted_by);
}

void add_container(Hasher& hasher, const Container& container) {
  hasher.add(static_cast<std::uint64_t>(container.vmid)).add(static_cast<std::uint64_t>(container.state));
  hasher.add(container.post_stop_due ? 1U : 0U).add(container.starts ? 1U : 0U);
  hasher.add(container.obeys_shutdown ? 1U : 0U).add_each(container.live);
  for (const Unit& unit : container.units) add_unit(hasher, unit);
  for (const auto& [path, text] : container.files) hasher.add(path).add(text);
  hasher.add(container.files.size());
}

std::uint64_t meaning_of(const Process& process) {
  Hasher hasher;
  hasher.add(process.comm).add(process.cgroup);
  hasher.add((process.unkillable ? 1U : 0U) | (process.ignores_term ? 2U : 0U) |
             (process.unreadable ? 4U : 0U));
  for (const Open& open : process.opens) {
    hasher.add(open.pci).add(open.memory).add(static_cast<std::uint64_t>(open.busy_percent));
    hasher.add(open.engine_ns > 0 ? 1U : 0U).add(open.kfd_memory).add(open.kfd_queue ? 1U : 0U);
  }
  return hasher.add(process.opens.size()).value();
}

void add_card(Hasher& hasher, const Card& card) {
  hasher.add(card.pci)
      .add(static_cast<std::uint64_t>(card.card))
      .add(static_cast<std::uint64_t>(card.render));
  hasher.add(card.driver).add(card.runtime).add(card.leftover).add(ns(card.lingers));
  hasher.add((card.present ? 1U : 0U) | (card.off_the_bus ? 2U : 0U) | (card.by_path ? 4U : 0U));
}

void add_event(Hasher& hasher, const Event& event, const Model& model, const OwnWay& own_way) {
  hasher.add(ns(event.at - model.now)).add(static_cast<std::uint64_t>(event.kind));
  hasher.add(static_cast<std::uint64_t>(event.vmid)).add_each(event.words);
  hasher.add((event.by_proxmox ? 1U : 0U) | (event.running ? 2U : 0U)).add(event.bytes);
  const bool own = event.kind == Event::Kind::file_back && own_way &&
                   own_way(model, event.subject, File{event.text}, hasher);
  if (!own) hasher.add(event.subject).add(event.text);
  for (const Unit& unit : event.units) add_unit(hasher, unit);
}

void add_files(Hasher& hasher, const Model& model, const OwnWay& own_way) {
  for (const auto& [path, file] : model.files) {
    if (own_way && own_way(model, path, file, hasher)) continue;
    hasher.add(path).add(file.text);
    if (!path.starts_with("/etc/pve/")) hasher.add(file.mode);  // there all are alike
  }
  hasher.add_each(model.folders);
}

}  // namespace

Hasher& Hasher::add(std::uint64_t value) {
  std::uint64_t mixed = value_ ^ (value * 0xff51afd7ed558ccdULL);
  mixed ^= mixed >> 32;
  mixed *= 0xc4ceb9fe1a85ec53ULL;
  mixed ^= mixed >> 29;
  value_ = mixed + 0x9e3779b97f4a7c15ULL;
  return *this;
}

Hasher& Hasher::add(std::string_view text) {
  const std::size_t size = text.size();
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    add(word);
    text.remove_prefix(sizeof word);
  }
  std::uint64_t rest = 0;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  return add(rest).add(size);
}

std::uint64_t fingerprint(const Model& model, const OwnWay& own_way) {
  Hasher hasher;
  hasher.add((model.pve_mounted ? 1U : 0U) | (model.quorate ? 2U : 0U) | (model.powered_off ? 4U : 0U) |
             (model.disk_full ? 8U : 0U));
  for (const Card& card : model.cards) add_card(hasher, card);
  for (const Container& container : model.containers) add_container(hasher, container);
  std::vector<std::uint64_t> processes;  // their order is that of their numbers
  for (const Process& process : model.processes) processes.push_back(meaning_of(process));
  std::ranges::sort(processes);
  for (const std::uint64_t process : processes) hasher.add(process);
  hasher.add(processes.size());
  add_files(hasher, model, own_way);
  hasher.add_each(model.frozen);
  for (const auto& [path, holder] : model.locks) hasher.add(path).add(holder);
  for (const Worker& worker : model.workers) {
    hasher.add(static_cast<std::uint64_t>(worker.vmid)).add(worker.type).add(worker.orphaned ? 1U : 0U);
  }
  std::vector<const Event*> due;
  for (const Event& event : model.events) due.push_back(&event);
  std::ranges::stable_sort(due, {}, &Event::at);
  for (const Event* event : due) add_event(hasher, *event, model, own_way);
  hasher.add(due.size());
  return hasher.value();
}

std::uint64_t fingerprint_of_unsynced(const Model& model) {
  Hasher hasher;
  const std::size_t first = model.unsynced.size() - std::min(kMostLost, model.unsynced.size());
  for (std::size_t at = first; at < model.unsynced.size(); ++at) {
    const PveWrite& write = model.unsynced[at];
    hasher.add(write.path).add(write.before ? *write.before : "\x01(none)");
  }
  return hasher.add(model.unsynced.size() - first).value();
}

}  // namespace interlock::mocks
