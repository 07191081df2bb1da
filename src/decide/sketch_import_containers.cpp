#include "decide/sketch_import_containers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "decide/sketch_containers.h"

namespace interlock::decide {
namespace {

class Containers {
 public:
  Containers(const Watchdog& watchdog, const HostState* state, Sketched& drawn)
      : watchdog_(watchdog), state_(state), drawn_(drawn) {}

  void add_all() {
    std::map<Vmid, std::vector<ServiceOfCard>> asked;
    for (const ServiceOfCard& service : watchdog_.services) asked[service.vmid].push_back(service);
    for (const auto& [vmid, services] : asked) add_declared(vmid, services);
    if (state_ == nullptr) return;
    for (const Container& container : state_->containers) {
      if (!asked.contains(container.vmid) && uses_cards(*state_, container)) add_undeclared(container);
    }
    std::ranges::sort(drawn_.sketch.containers, {}, &SketchContainer::vmid);
  }

 private:
  void remark(std::string message, int line = 0) { drawn_.remarks.push_back({std::move(message), line}); }

  bool is_guarded(const PciAddress& pci) const {
    return std::ranges::any_of(drawn_.sketch.cards, [&](const auto& card) { return card.value.pci == pci; });
  }

  void add_undeclared(const Container& container) {
    SketchContainer sketch = sketch_container(*state_, container, drawn_.remarks);
    remark(fmt::format("container {} uses cards and is not in the file: it is named all the same",
                       container.vmid.text()));
    sketch.notes.insert(sketch.notes.begin(), "ours: not in the file, but it uses cards.");
    drop_unguarded_cards(sketch);
    drawn_.sketch.containers.push_back(std::move(sketch));
  }

  void add_declared(Vmid vmid, const std::vector<ServiceOfCard>& services) {
    const Container* container = state_ != nullptr ? state_->container(vmid) : nullptr;
    if (state_ != nullptr && container == nullptr) {
      const std::string why = fmt::format("container {} is not on this host, and is left out", vmid.text());
      remark(why, services.front().line);
      drawn_.sketch.containers_left_out.push_back(why);
      return;
    }
    SketchContainer sketch{.vmid = vmid};
    if (container != nullptr) {
      sketch = sketch_container(*state_, *container, drawn_.remarks);
      if (!sketch.bind.note.starts_with("ours: ")) sketch.bind.note.insert(0, "ours: ");
      drop_unguarded_cards(sketch);
    } else {
      sketch.notes.push_back("not looked at");
      sketch.bind.note = "ours: its configuration was not looked at";
    }
    const auto at_work = std::move(sketch.units);
    sketch.units.clear();
    for (const ServiceOfCard& service : services) add_service(container, service, sketch);
    for (const auto& [unit, note] : at_work) add_at_work(unit, note, sketch);
    drawn_.sketch.containers.push_back(std::move(sketch));
  }

  static bool has(const SketchContainer& sketch, const UnitName& unit) {
    return std::ranges::any_of(sketch.units, [&](const auto& one) { return one.value == unit; });
  }

  void add_service(const Container* container, const ServiceOfCard& service, SketchContainer& sketch) {
    const std::string where = fmt::format("{} of container {}", service.unit.text(), service.vmid.text());
    if (container != nullptr && !container->binds(service.card)) {
      remark(fmt::format("the file says that {} works on {}, which the container does not bind", where,
                         service.card.text()),
             service.line);
    }
    if (has(sketch, service.unit)) return;
    const Unit* unit = container == nullptr ? nullptr : container->unit(service.unit);
    if (unit == nullptr) {
      const std::string why = container == nullptr                      ? "not looked at"
                              : container->running == RunState::stopped ? "the container is stopped"
                              : container->units_answer == UnitsAnswer::unanswered ? container->units_error
                                                                                   : "it was not asked about";
      if (container != nullptr)
        remark(fmt::format("whether there is a {} could not be seen: {}", where, why), service.line);
      sketch.units.push_back({service.unit, "GPU_SERVICE_MAP; not seen: " + why});
    } else if (unit->load == LoadState::not_found) {
      remark(fmt::format("there is no {}: a trip would have stopped nothing. It is left out", where),
             service.line);
      sketch.left_out.push_back(
          fmt::format("{} is in the file, and there is no such unit in this container", service.unit.text()));
    } else {
      add_known(*unit, where, service, sketch);
    }
  }

  void add_known(const Unit& unit, const std::string& where, const ServiceOfCard& service,
                 SketchContainer& sketch) {
    const std::string state = fmt::format("{}, {}", to_string(unit.active), to_string(unit.file));
    sketch.units.push_back({service.unit, "GPU_SERVICE_MAP; now " + state});
    if (unit.load != LoadState::loaded) {
      remark(fmt::format("{} is {}: it cannot run as it is", where, to_string(unit.load)), service.line);
    } else if (is_live(unit) == Truth::no) {
      remark(fmt::format("{} does not run now ({})", where, state), service.line);
    }
  }

  /// What really has the card is what a trip will find, whatever the file says.
  void add_at_work(const UnitName& unit, const std::string& note, SketchContainer& sketch) {
    if (has(sketch, unit)) return;
    sketch.units.push_back({unit, "ours: not in the file, but " + note});
    remark(fmt::format("{} of container {} uses a card and is not in the file: it is named all the same",
                       unit.text(), sketch.vmid.text()));
  }

  void drop_unguarded_cards(SketchContainer& sketch) const {
    std::erase_if(sketch.cards, [&](const CardId& id) {
      const Card* card = state_->card(id);
      return card == nullptr || !is_guarded(card->pci);
    });
  }

  const Watchdog& watchdog_;
  const HostState* state_;
  Sketched& drawn_;
};

}  // namespace

void import_containers(const Watchdog& watchdog, const HostState* state, Sketched& drawn) {
  Containers(watchdog, state, drawn).add_all();
}

}  // namespace interlock::decide
