#include <fmt/format.h>

#include "bench/benches.h"
#include "decide/plan.h"
#include "decide/proof.h"
#include "decide/two_v620.h"

namespace interlock::bench {
namespace {

/// two-v620 with five more containers that no cutover names.
HostState eight_containers() {
  HostState state = two_v620::normal();
  for (int vmid = 130; vmid < 135; ++vmid) {
    Container more = *state.container(two_v620::k121);
    more.vmid = *Vmid::parse(std::to_string(vmid));
    state.containers.push_back(more);
  }
  return state;
}

/// `count` cards, each served by a container of its own, and as many containers that are to have them.
struct ManyCards {
  explicit ManyCards(int count);

  HostState state = two_v620::normal();
  Policy policy = two_v620::policy();
  Target target{.name = "to-the-others", .wants = {}};
};

ManyCards::ManyCards(int count) {
  const HostState pattern = state;
  state.cards.clear();
  state.containers.clear();
  state.ledger.reset();
  state.guard.states.clear();
  state.guard.verdicts.clear();
  policy.cards.clear();
  policy.containers.clear();
  Ledger ledger;
  for (int i = 0; i < count; ++i) {
    const PciAddress pci = *PciAddress::parse(fmt::format("0000:{:02x}:00.0", 3 + i));
    const std::string primary = fmt::format("card{}", 1 + i);
    const std::string render = fmt::format("renderD{}", 128 + i);
    const std::string id = fmt::format("gpu{}", 1 + i);
    Card card = two_v620::card(id.c_str(), pci, primary, render);
    card.sample->taken_at = state.taken_at;
    const Vmid has = *Vmid::parse(std::to_string(200 + i));
    const Vmid gets = *Vmid::parse(std::to_string(300 + i));
    card.holders = {two_v620::server(has, two_v620::kQwen36, pci)};

    Container giver = pattern.containers.front();
    giver.vmid = has;
    giver.digest = "digest-of-" + has.text();
    giver.bindings = {two_v620::binding(pci, two_v620::entry(pci, "render", render)),
                      two_v620::binding(pci, two_v620::entry(pci, "card", primary))};
    giver.units = {two_v620::unit(two_v620::kQwen36, true)};
    giver.generated_cards = {pci};
    Container taker = giver;
    taker.vmid = gets;
    taker.digest = "digest-of-" + gets.text();
    taker.bindings.clear();
    taker.generated_cards.clear();
    taker.units = {two_v620::unit(two_v620::kQwen36, false)};

    policy.cards.push_back({card.id, pci, {}, false});
    for (const Vmid vmid : {has, gets})
      policy.containers.emplace(vmid, PolicyContainer{vmid, {two_v620::kQwen36}, {}, {}});
    state.guard.states[card.id] = GuardState::guarding;
    state.guard.verdicts[card.id] = pattern.guard.verdicts.begin()->second;
    ledger.emplace(pci, Owner::of(has));
    Want& away = target.wants[has];
    away.cards.emplace();
    away.retire_all = true;
    Want& there = target.wants[gets];
    there.state = RunState::running;
    there.cards.emplace().insert(pci);
    there.serve = two_v620::kQwen36;
    state.cards.push_back(std::move(card));
    state.containers.push_back(std::move(giver));
    state.containers.push_back(std::move(taker));
  }
  state.ledger = std::move(ledger);
}

std::size_t plan_and_prove(const HostState& state, const Policy& policy, const Target& target) {
  const auto plan = decide::plan(state, policy, target, "c1");
  insist(plan.has_value(), "there was to be a plan");
  insist(decide::prove(state, policy, *plan).holds(), "the plan was to be proved");
  return plan->steps.size();
}

}  // namespace

void bench_plan(Table& table, int runs) {
  const Policy policy = two_v620::policy();
  const HostState state = eight_containers();
  std::size_t steps = 0;
  const Measured time =
      measure(runs, [&] { steps = plan_and_prove(state, policy, two_v620::to_qwen38fn()); });
  table.add({.what = fmt::format("plan and proof, {} cards, {} containers, {} steps", state.cards.size(),
                                 state.containers.size(), steps),
             .time = time,
             .budget = std::chrono::milliseconds(5)});
}

void plan_as_it_grows(Table& table, int runs) {
  for (const int cards : {2, 4, 8, 16}) {
    const ManyCards host(cards);
    std::size_t steps = 0;
    const Measured time =
        measure(runs, [&] { steps = plan_and_prove(host.state, host.policy, host.target); });
    table.add(
        {.what = fmt::format("plan and proof, {} cards, {} containers, {} steps", cards, 2 * cards, steps),
         .time = time,
         .grows = "plan and proof, by cards",
         .with = cards});
  }
}

}  // namespace interlock::bench
