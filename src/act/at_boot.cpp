// Before any guest starts (11.2): what an interrupted cutover left must not bring two containers up with one
// card. Only takes away; what brings the host back, or forward, comes after the guests.
#include <algorithm>

#include "act/begin_record.h"
#include "act/conduct.h"
#include "act/ledger_file.h"
#include "act/mend.h"
#include "act/step.h"
#include "act/undertaking.h"
#include "base/text.h"
#include "decide/invariants.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

/// Who keeps a card that more than one would come up with: its owner in the ledger, else nobody.
bool keeps(const HostState& state, const PciAddress& card, Vmid vmid) {
  if (!state.ledger) return false;
  const auto line = state.ledger->find(card);
  return line != state.ledger->end() && line->second == Owner::of(vmid);
}

/// In the order in which they are safe: no autostart, then no card.
std::vector<Step> steps_away(const HostState& state, const Policy& policy) {
  std::vector<Step> steps;
  for (const decide::Breach& breach : decide::boot_breaches(state, policy)) {
    if (breach.invariant != "I1" || !breach.card) continue;
    for (const Vmid vmid : breach.containers) {
      const Container* container = state.container(vmid);
      if (container == nullptr || container->running != RunState::stopped || keeps(state, *breach.card, vmid))
        continue;
      Step clear;
      clear.kind = StepKind::clear_autostart;
      clear.container = vmid;
      clear.settings["onboot"] = "0";
      clear.text = fmt::format("{}: onboot off, since another would start with {} too", vmid.text(),
                               policy.card_name(*breach.card));
      if (container->autostart.onboot) steps.push_back(std::move(clear));
      Step release;
      release.kind = StepKind::release_cards;
      release.container = vmid;
      release.cards = {*breach.card};
      release.text =
          fmt::format("{}: take {} out of its configuration", vmid.text(), policy.card_name(*breach.card));
      steps.push_back(std::move(release));
    }
  }
  int id = 0;
  for (Step& step : steps) step.id = ++id;
  return steps;
}

/// The cards of the open cutover are held, whatever the power cut has left of the ledger.
Result<void> hold_cards(Run& run, const HostState& state) {
  if (!state.ledger) return rebuild_ledger(run, state);
  Ledger ledger = *state.ledger;
  for (const PciAddress& card : run.cards) {
    const PolicyCard* known = run.policy.card(card);
    const auto line = ledger.find(card);
    const bool owned = line != ledger.end() && line->second.kind == Owner::Kind::container;
    if (known != nullptr && !known->shared && !owned) ledger[card] = Owner::held_by(run.id);
  }
  return ledger == *state.ledger ? Result<void>{} : write_ledger(run.host, ledger);
}

}  // namespace

CutoverReport recover_at_boot(Host& host, const Progress& progress) {
  const auto lock = take_cutover_lock(host);
  if (!lock) return lock.error();
  const auto open = open_journal(host);
  if (!open) return error_report(open.error().message);
  CutoverReport report;
  report.result = CutoverResult::unchanged;
  if (!*open || nothing_begun(**open)) return report;
  report.id = (*open)->id;
  const auto beginning = beginning_of(**open);
  if (!beginning) return error_report(beginning.error().message);
  Run run(host, beginning->policy, report.id);
  run.back = true;
  run.target = beginning->way_back;
  const auto state =
      observe::look(host, run.policy, {.units = false, .all_holders = false, .samples = false});
  if (!state) return error_report(state.error().message);
  run.cards = cards_of(*state, run.policy, beginning->target);
  run.cards.merge(cards_of(*state, run.policy, beginning->way_back));

  report.result = CutoverResult::done;
  if (const auto written = hold_cards(run, *state); !written) {
    report.result = CutoverResult::held;
    report.messages.push_back("the ledger: " + written.error().message);
  }
  Journal journal = Journal::reopen(host, **open);
  for (const Step& step : steps_away(*state, run.policy)) {
    StepReport said{step, true, false, {}, {}};
    progress(said);
    // A journal that cannot be written must not keep a boot from being made safe.
    static_cast<void>(journal.write({"intent", {{"step", step.id}, {"at_boot", true}, {"text", step.text}}}));
    const Outcome outcome = carry_out(run, step);
    said.done = outcome.done;
    said.seen = outcome.seen;
    progress(said);
    report.steps.push_back(said);
    if (outcome.done) continue;
    report.result = CutoverResult::held;
    report.messages.push_back(fmt::format("{}: {}", step.text, outcome.seen));
  }
  return report;
}

}  // namespace interlock::act
