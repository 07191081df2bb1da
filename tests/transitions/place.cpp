#include "place.h"

#include "model/plan_json.h"
#include "position.h"

namespace interlock::explore {
namespace {

std::uint64_t meaning_of(Step step) {
  step.id = 0;
  return record_meaning(to_json(step).dump());
}

}  // namespace

PlanInHand::PlanInHand(Plan of) : plan(std::move(of)), target(record_meaning(to_json(plan.target).dump())) {
  for (const Step& step : plan.steps) steps.push_back(meaning_of(step));
}

WayBack::WayBack(Target of) : target(std::move(of)), meaning(record_meaning(to_json(target).dump())) {}

/// The steps that are left, and of what the process remembers what one of them will ask.
void Place::add_walk(mocks::Hasher& hasher) const {
  std::set<Vmid> retires;
  std::set<Vmid> starts;
  for (std::size_t at_step = from; at_step < plan->steps.size(); ++at_step) {
    hasher.add(plan->steps[at_step]);
    const Step& step = plan->plan.steps[at_step];
    if (!step.container) continue;
    if (step.kind == StepKind::retire_unit) retires.insert(*step.container);
    if (step.kind == StepKind::start_container || step.kind == StepKind::start_unit)
      starts.insert(*step.container);
  }
  hasher.add(plan->target);
  const auto add = [&](const std::set<Vmid>& remembered, const std::set<Vmid>* asked_of) {
    std::size_t count = 0;
    for (const Vmid vmid : remembered) {
      if (asked_of != nullptr && !asked_of->contains(vmid)) continue;
      hasher.add(vmid.text());
      ++count;
    }
    hasher.add(count);
  };
  // A run that may yet turn back may retire on that way whatever it has started.
  add(started, back ? &retires : nullptr);
  if (back) return;  // nothing is required on a way back
  add(asked, &starts);
  add(prepared, &starts);
}

std::uint64_t Place::meaning() const {
  mocks::Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(at)).add(static_cast<std::uint64_t>(way)).add(back ? 1U : 0U);
  hasher.add(reported ? 1U : 0U);
  if (stopped) {
    hasher.add(static_cast<std::uint64_t>(stopped->kind))
        .add(static_cast<std::uint64_t>(stopped->lost_writes));
    hasher.add(stopped->renumber ? 1U : 0U);
  }
  if (way_back != nullptr) hasher.add(way_back->meaning);
  if (at == At::walking) add_walk(hasher);
  if (at == At::turned) {
    for (const Vmid vmid : started) hasher.add(vmid.text());
    hasher.add(started.size());
  }
  return hasher.value();
}

Node::State Node::state() const {
  const std::uint64_t kept = mocks::Hasher().add(host_state(model)).add(place.meaning()).value();
  return {kept, mocks::Hasher().add(kept).add(mocks::fingerprint_of_unsynced(model)).value()};
}

}  // namespace interlock::explore
