#include "decide/sketch_containers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace interlock::decide {
namespace {

/// A service of the container's own systemd, not of a user's in it (case S05).
std::optional<UnitName> service_of(const Place& place) {
  const bool named = place.unit && place.unit->text().ends_with(".service");
  if (!place.container || !named || place.cgroup.contains("/user@")) return std::nullopt;
  return place.unit;
}

bool gives(const Binding& binding, const PciAddress& card) {
  return binding.when != Binding::When::latent && (binding.every_card || binding.cards.contains(card));
}

bool gives_any(const HostState& state, const Binding& binding) {
  return std::ranges::any_of(state.cards, [&](const Card& card) { return gives(binding, card.pci); });
}

std::string card_names(const std::vector<CardId>& cards) {
  std::vector<std::string> names;
  for (const CardId& card : cards) names.push_back(card.text());
  return joined(names, ", ");
}

void add_units(const HostState& state, SketchContainer& sketch, std::vector<Remark>& remarks) {
  std::map<UnitName, std::set<std::string>> at_work;
  for (const Card& card : state.cards) {
    for (const Holder& holder : card.holders) {
      const auto unit = service_of(holder.place);
      if (holder.place.container != sketch.vmid || !unit || holder.uses == Truth::no) continue;
      at_work[*unit].insert(card.id.text());
    }
  }
  for (const auto& [unit, cards] : at_work) {
    const std::string names = joined({cards.begin(), cards.end()}, ", ");
    sketch.units.push_back({unit, fmt::format("it uses {} now", names)});
  }
  if (at_work.size() == 1) sketch.serving = at_work.begin()->first;
  if (at_work.size() > 1) {
    remarks.push_back({fmt::format("{} services of container {} use cards now; at most one of its units may",
                                   at_work.size(), sketch.vmid.text())});
  }
}

void add_binding(const HostState& state, const Container& container, SketchContainer& sketch) {
  bool device = false;
  bool other = false;
  for (const Binding& binding : container.bindings) {
    if (!gives_any(state, binding) || binding.when == Binding::When::latent) continue;
    if (binding.form == Binding::Form::device)
      device = true;
    else
      other = true;
  }
  if (device && !other) {
    sketch.bind = {BindStyle::device, "its configuration has devN lines"};
  } else if (other && !device) {
    sketch.bind = {BindStyle::mount_entry, "its configuration has mount lines"};
  } else if (device) {
    sketch.bind = {BindStyle::mount_entry, "ours: its configuration has devN lines and mount lines"};
  } else {
    sketch.bind = {BindStyle::mount_entry, "ours: it binds no card now"};
  }
}

}  // namespace

bool uses_cards(const HostState& state, const Container& container) {
  const auto binds = [&](const Binding& binding) { return gives_any(state, binding); };
  if (std::ranges::any_of(container.bindings, binds)) return true;
  return std::ranges::any_of(state.cards, [&](const Card& card) {
    return std::ranges::any_of(
        card.holders, [&](const Holder& holder) { return holder.place.container == container.vmid; });
  });
}

SketchContainer sketch_container(const HostState& state, const Container& container,
                                 std::vector<Remark>& remarks) {
  SketchContainer sketch{.vmid = container.vmid};
  sketch.running = container.running == RunState::running;
  for (const Card& card : state.cards) {
    if (std::ranges::any_of(container.bindings, [&](const Binding& one) { return gives(one, card.pci); }))
      sketch.cards.push_back(card.id);
  }
  const std::string name = container.name.empty() ? "" : fmt::format("{}, ", container.name);
  sketch.notes.push_back(
      fmt::format("{}{}; {}", name, to_string(container.running),
                  sketch.cards.empty() ? "it binds no card now" : "it binds " + card_names(sketch.cards)));
  add_units(state, sketch, remarks);
  add_binding(state, container, sketch);
  return sketch;
}

void remark_on_state(const HostState& state, std::vector<Remark>& remarks) {
  for (const Card& card : state.cards) {
    for (const Holder& holder : card.holders) {
      if (service_of(holder.place) || holder.uses == Truth::no) continue;
      const std::string where =
          holder.place.container ? "in container " + holder.place.container->text() : "on the host";
      remarks.push_back(
          {fmt::format("{} (PID {}), {} and in no service of a container, uses {}; a trip sheds it too",
                       printable(holder.command), holder.process.pid, where, card.id.text())});
    }
    const auto machines = state.vms.find(card.pci);
    if (machines != state.vms.end()) {
      remarks.push_back({fmt::format("{} is given to {} too, which can run or start by itself",
                                     card.id.text(), joined(machines->second, ", "))});
    }
  }
  for (const UnknownHolder& holder : state.unknown_holders) {
    remarks.push_back({fmt::format("process {} may use any card: {}", holder.pid, holder.why)});
  }
  for (const std::string& untold : state.cannot_tell) remarks.push_back({"cannot tell " + untold});
}

}  // namespace interlock::decide
