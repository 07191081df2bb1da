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

std::uint64_t Place::meaning() const {
  mocks::Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(at)).add(static_cast<std::uint64_t>(way));
  hasher.add(static_cast<std::uint64_t>(holds)).add(back ? 1U : 0U);
  if (stopped) {
    hasher.add(static_cast<std::uint64_t>(stopped->kind))
        .add(static_cast<std::uint64_t>(stopped->lost_writes));
    hasher.add(stopped->renumber ? 1U : 0U);
  }
  hasher.add((hands.acted ? 1U : 0U) | (hands.late ? 2U : 0U) | (hands.renumbered ? 4U : 0U));
  for (const int vmid : hands.touched) hasher.add(static_cast<std::uint64_t>(vmid));
  if (plan && at == At::walking) {
    for (std::size_t step = from; step < plan->steps.size(); ++step) hasher.add(plan->steps[step]);
    hasher.add(plan->target);
  }
  for (const auto* set : {&asked, &started, &prepared}) {
    for (const Vmid vmid : *set) hasher.add(vmid.text());
    hasher.add(set->size());
  }
  return hasher.value();
}

std::uint64_t Node::state() const {
  mocks::Hasher hasher;
  return hasher.add(host_state(model)).add(place.meaning()).value();
}

}  // namespace interlock::explore
