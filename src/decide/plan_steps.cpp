#include "decide/plan_steps.h"

#include <algorithm>

#include "decide/plan_change.h"
#include "decide/plan_checks.h"
#include "decide/plan_lines.h"

namespace interlock::decide {
namespace {

/// Writes the steps down in the order that is a law (design, section 6): one function a phase, called one
/// after the other at the end of this file.
class Writer {
 public:
  Writer(const HostState& state, const Policy& policy, const Target& target, const std::string& cutover,
         const std::vector<Change>& changes, const std::vector<PciAddress>& moving)
      : state_(state),
        policy_(policy),
        target_(target),
        cutover_(cutover),
        changes_(changes),
        moving_(moving) {}

  void take_cards();
  void retire_outgoing();
  void clear_autostart();
  void stop_containers();
  void see_cards_free();
  void release_cards();
  Result<void> bind_cards_and_set_limits();
  void give_cards();
  void start_containers();
  void bring_units_up();
  void restore_autostart();
  void sweep();
  std::vector<Step> done() { return std::move(steps_); }

 private:
  Step& add(StepKind kind) {
    Step& step = steps_.emplace_back();
    step.kind = kind;
    return step;
  }
  Step& add(StepKind kind, const Change& change) {
    Step& step = add(kind);
    step.container = change.now->vmid;
    return step;
  }
  Step& add(StepKind kind, const Change& change, const UnitName& unit) {
    Step& step = add(kind, change);
    step.unit = unit;
    return step;
  }
  Step& add(StepKind kind, const PciAddress& card, Owner owner) {
    Step& step = add(kind);
    step.cards = {card};
    step.card_name = policy_.card_name(card);
    step.owner = std::move(owner);
    return step;
  }
  std::vector<PciAddress> in_order(const std::set<PciAddress>& cards) const {
    std::vector<PciAddress> list;
    for (const PolicyCard& card : policy_.cards) {
      if (cards.contains(card.pci)) list.push_back(card.pci);
    }
    return list;
  }
  bool moves(const PciAddress& card) const { return std::ranges::find(moving_, card) != moving_.end(); }

  const HostState& state_;
  const Policy& policy_;
  const Target& target_;
  const std::string& cutover_;
  const std::vector<Change>& changes_;
  const std::vector<PciAddress>& moving_;
  std::vector<Step> steps_;
};

void Writer::take_cards() {
  const Owner held = Owner::held_by(cutover_);
  for (const PciAddress& card : moving_) {
    const auto line = state_.ledger->find(card);
    if (line == state_.ledger->end() || line->second != held) add(StepKind::take_card, card, held);
  }
}

void Writer::retire_outgoing() {
  for (const Change& change : changes_) {
    for (const UnitName& unit : change.retire_first) add(StepKind::retire_unit, change, unit);
  }
}

void Writer::clear_autostart() {
  for (const Change& change : changes_) {
    if (change.clear_onboot) add(StepKind::clear_autostart, change).settings["onboot"] = "0";
  }
}

void Writer::stop_containers() {
  for (const Change& change : changes_) {
    if (change.stop) add(StepKind::stop_container, change);
  }
}

void Writer::see_cards_free() {
  for (const PciAddress& card : moving_) add(StepKind::see_card_free, card, {});
}

void Writer::release_cards() {
  for (const Change& change : changes_) {
    if (change.loses.empty()) continue;
    Step& step = add(StepKind::release_cards, change);
    step.cards = change.loses;
    for (const Binding& binding : change.release) step.lines.push_back(binding.line);
  }
}

Result<void> Writer::bind_cards_and_set_limits() {
  for (const Change& change : changes_) {
    bool regenerate = change.regenerate;
    if (!change.gains.empty()) {
      Step& step = add(StepKind::bind_cards, change);
      step.cards = change.gains;
      step.lines = TRY(lines_to_bind(state_, policy_, change));
      regenerate |=
          std::ranges::any_of(step.lines, [](const std::string& line) { return line.starts_with("lxc."); });
    }
    if (regenerate || !change.limits.empty()) add(StepKind::set_limits, change).settings = change.limits;
  }
  return {};
}

void Writer::give_cards() {
  for (const PolicyCard& card : policy_.cards) {
    if (card.shared) continue;
    if (!moves(card.pci) && !ledger_disagrees(state_, target_, changes_, card.pci)) continue;
    const Owner owner = owner_after(changes_, card.pci);
    add(StepKind::give_card, card.pci, owner).container = owner.container;
  }
}

void Writer::start_containers() {
  for (const Change& change : changes_) {
    if (!change.start) continue;
    add(StepKind::start_container, change).cards = in_order(change.cards_after);
    for (const UnitName& unit : change.retire_again) add(StepKind::retire_unit, change, unit);
  }
}

void Writer::bring_units_up() {
  for (const Change& change : changes_) {
    if (change.start_unit) add(StepKind::start_unit, change, *change.want->serve);
  }
  for (const Change& change : changes_) {
    if (change.see_serving) {
      add(StepKind::see_serving, change, *change.want->serve).cards = in_order(change.cards_after);
    }
  }
  for (const Change& change : changes_) {
    if (change.enable_unit) add(StepKind::enable_unit, change, *change.want->serve);
  }
}

void Writer::restore_autostart() {
  for (const Change& change : changes_) {
    if (change.restore_onboot) add(StepKind::restore_autostart, change).settings["onboot"] = change.onboot;
  }
}

void Writer::sweep() {
  if (!steps_.empty()) add(StepKind::sweep);
}

}  // namespace

Result<std::vector<Step>> steps_to(const HostState& state, const Policy& policy, const Target& target,
                                   const std::string& cutover) {
  const std::vector<Change> what = changes(state, policy, target);
  const std::vector<PciAddress> moving = cards_that_move(policy, what);
  if (const auto why = impossible(state, policy, target, what, moving, cutover)) return fail("{}", *why);

  Writer write(state, policy, target, cutover, what, moving);
  write.take_cards();
  write.retire_outgoing();
  write.clear_autostart();
  write.stop_containers();
  write.see_cards_free();
  write.release_cards();
  // Here nobody owns the cards, and it is safe to stay.
  TRY(write.bind_cards_and_set_limits());
  write.give_cards();
  write.start_containers();
  write.bring_units_up();
  write.restore_autostart();
  write.sweep();
  return write.done();
}

}  // namespace interlock::decide
