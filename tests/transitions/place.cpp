#include "place.h"

#include <algorithm>
#include <list>

#include "model/plan_json.h"
#include "position.h"

namespace interlock::explore {
namespace {

std::uint64_t meaning_of(Step step) {
  step.id = 0;
  return record_meaning(to_json(step).dump());
}

/// Kept, since all scenarios of a course begin alike.
const WayBack* kept(const Target& target) {
  thread_local std::list<WayBack> seen;
  const auto found = std::ranges::find(seen, target, &WayBack::target);
  return found != seen.end() ? &*found : &seen.emplace_back(target);
}

}  // namespace

PlanInHand::PlanInHand(Plan of) : plan(std::move(of)), target(record_meaning(to_json(plan.target).dump())) {
  for (const Step& step : plan.steps) steps.push_back(meaning_of(step));
}

WayBack::WayBack(Target of) : target(std::move(of)), meaning(record_meaning(to_json(target).dump())) {}

void Place::take(const act::Run& run, const act::Juncture& juncture) {
  using At = act::Juncture::At;
  const bool same_plan = at == At::planned || juncture.from > 0;
  if (juncture.plan != nullptr && !same_plan) plan = std::make_shared<const PlanInHand>(*juncture.plan);
  if (juncture.plan == nullptr) plan.reset();
  at = juncture.at;
  way = run.back ? Way::back : Way::cut_over;
  id = run.id;
  way_back = kept(*juncture.way_back);
  from = juncture.from;
  mangled = juncture.mangled;
  asked = run.asked;
  started = run.started;
  prepared = run.prepared;
}

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
  add(started, back() ? &retires : nullptr);
  if (back()) return;  // nothing is required on a way back
  add(asked, &starts);
  add(prepared, &starts);
}

std::uint64_t Place::meaning() const {
  mocks::Hasher hasher;
  hasher.add(at ? 1 + static_cast<std::uint64_t>(*at) : 0U).add(static_cast<std::uint64_t>(way));
  hasher.add(reported ? 1U : 0U).add(mangled ? 1U : 0U);
  if (stopped) {
    hasher.add(static_cast<std::uint64_t>(stopped->kind))
        .add(static_cast<std::uint64_t>(stopped->lost_writes));
    hasher.add(stopped->renumber ? 1U : 0U);
  }
  if (way_back != nullptr) hasher.add(way_back->meaning);
  if (plan) add_walk(hasher);
  if (at == act::Juncture::At::turned) {
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
