#include "decide/shedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace interlock::decide {
namespace {

bool in_unit(const Holder& holder, std::string_view name) {
  return holder.place.unit && holder.place.unit->text() == name;
}

/// A unit of a user's own systemd, which the container's does not know.
bool is_of_user(const Place& place) {
  return place.cgroup.contains("/user@");
}

/// Our own unit is never frozen or stopped whole, whatever holds the card in it.
bool is_ours(const Place& place) {
  return place.known && !place.container && place.unit && place.unit->text().starts_with("gpu-interlock");
}

bool can_be_asked(const Place& place) {
  return place.unit && !is_ours(place) && !is_of_user(place) &&
         (place.whole || place.unit->text().ends_with(".service"));
}

ShedTarget target_of(const Holder& holder) {
  const Place& place = holder.place;
  const bool whole = place.whole && !is_ours(place);
  return {.kind = can_be_asked(place) ? ShedTarget::Kind::unit : ShedTarget::Kind::process,
          .container = place.container,
          .unit = place.unit,
          .cgroup = place.cgroup,
          .whole = whole,
          .processes = {holder.process}};
}

/// Both are stopped, frozen or killed by one and the same act.
bool is_same(const ShedTarget& a, const ShedTarget& b) {
  if (a.kind != b.kind || a.container != b.container || a.unit != b.unit || a.cgroup != b.cgroup)
    return false;
  return a.kind == ShedTarget::Kind::unit || a.whole || a.processes == b.processes;
}

void add(std::vector<ShedTarget>& targets, ShedTarget target) {
  const auto same =
      std::ranges::find_if(targets, [&](const ShedTarget& other) { return is_same(other, target); });
  if (same == targets.end()) {
    targets.push_back(std::move(target));
    return;
  }
  for (const ProcessId& process : target.processes) {
    if (std::ranges::find(same->processes, process) == same->processes.end())
      same->processes.push_back(process);
  }
}

void add_containers(std::vector<ShedTarget>& targets, const UnknownHolder& unknown,
                    const std::set<Vmid>& binding) {
  const auto container = [](Vmid vmid) {
    return ShedTarget{.kind = ShedTarget::Kind::container,
                      .container = vmid,
                      .unit = std::nullopt,
                      .cgroup = {},
                      .whole = false,
                      .processes = {}};
  };
  const auto& where = unknown.place.container;
  if (unknown.place.known && where && binding.contains(*where)) {
    add(targets, container(*where));
    return;
  }
  for (const Vmid vmid : binding) add(targets, container(vmid));
}

}  // namespace

std::vector<ShedTarget> shed_targets(const std::vector<Holder>& holders,
                                     const std::vector<UnknownHolder>& unknown, const std::set<Vmid>& binding,
                                     Pid own) {
  std::vector<Holder> in_order;
  std::ranges::copy_if(holders, std::back_inserter(in_order),
                       [&](const Holder& holder) { return !is_spared(holder, own); });
  std::ranges::stable_sort(in_order, {}, [](const Holder& holder) { return holder.uses == Truth::no; });

  std::vector<ShedTarget> targets;
  for (const Holder& holder : in_order) add(targets, target_of(holder));
  for (const UnknownHolder& holder : unknown) add_containers(targets, holder, binding);
  std::ranges::stable_sort(targets, {}, &ShedTarget::kind);
  return targets;
}

bool is_spared(const Holder& holder, Pid own) {
  const bool on_host = holder.place.known && !holder.place.container;
  if (holder.process.pid == 1 || holder.process.pid == own) return true;
  // The systemd of host and containers may keep a service's descriptors (fdstore), logind those of a session.
  if (in_unit(holder, "init.scope") && holder.command == "systemd") return true;
  if (in_unit(holder, "systemd-logind.service")) return true;
  return on_host && (holder.uses == Truth::no || holder.place.cgroup.starts_with("/qemu.slice/"));
}

std::string ShedTarget::text() const {
  const std::string where = container ? container->text() : "host";
  if (unit) return fmt::format("{}/{}", where, unit->text());
  if (!processes.empty()) return fmt::format("pid {}", processes.front().pid);
  return where;
}

std::string_view to_string(Rung rung) {
  switch (rung) {
    case Rung::freeze:
      return "freeze";
    case Rung::stop_unit:
      return "stop-unit";
    case Rung::kill:
      return "kill";
    case Rung::stop_container:
      return "stop-container";
    case Rung::kill_container:
      return "kill-container";
    case Rung::last_resort:
      return "last-resort";
  }
  return "freeze";
}

}  // namespace interlock::decide
