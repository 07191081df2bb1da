#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/findings_rules.h"
#include "decide/invariants.h"

namespace interlock::decide {
namespace {

void add_cutover(const HostState& state, Report& report) {
  if (!state.cutover || state.cutover->attended) return;
  report.add("cutover-open", {state.cutover->name.empty() ? state.cutover->id : state.cutover->name,
                              fmt::format("The cutover {} ({}) was interrupted, and nobody is at it.",
                                          printable(state.cutover->name), printable(state.cutover->id)),
                              "gpu-interlock recover --status, then gpu-interlock recover"});
}

void add_policy(const AuditInput& input, Report& report) {
  if (input.state.policy_broken.empty()) return;
  report.add("policy-broken",
             {"policy",
              fmt::format("The policy cannot be used, and its last good copy stands in for it: {}.",
                          printable(input.state.policy_broken)),
              "Correct it with `gpu-interlock policy check`, then systemctl reload gpu-interlockd"});
}

/// What is wrong between the ledger's owner of a card and the configurations. Nothing: they agree.
std::optional<std::string> disagreement(const AuditInput& input, const PciAddress& card, const Owner& owner) {
  const std::string name = input.card(card);
  std::vector<std::string> others;
  for (const Container* container : input.binders(card)) {
    if (container->can_hold(card) && owner != Owner::of(container->vmid))
      others.push_back(container->vmid.text());
  }
  if (owner.kind == Owner::Kind::held) {
    return fmt::format("the ledger holds {} for the cutover {}, which is not open", name,
                       printable(owner.cutover));
  }
  const std::string given = owner.container ? owner.container->text() : "nobody";
  if (!others.empty())
    return fmt::format("the ledger gives {} to {}, and {} can hold it", name, given, listed(others));
  if (!owner.container) return std::nullopt;
  const Container* container = input.state.container(*owner.container);
  if (container == nullptr)
    return fmt::format("the ledger gives {} to {}, which is not on this host", name, given);
  if (!container->binds(card))
    return fmt::format("the ledger gives {} to {}, which does not bind it", name, given);
  return std::nullopt;
}

/// On the way of a cutover the two are in step only at its safe points: then cutover-open is the word.
void add_ledger(const AuditInput& input, Report& report) {
  if (!input.state.ledger) {
    report.add("ledger-disagrees",
               {"ledger",
                fmt::format("The ledger cannot be read, so the gate refuses every container with a card: {}.",
                            input.state.ledger_error.empty() ? "no reason given" : input.state.ledger_error),
                "gpu-interlock ledger rebuild"});
    return;
  }
  if (input.state.cutover) return;
  for (const PolicyCard& card : input.policy.cards) {
    const auto owner = input.state.ledger->find(card.pci);
    if (card.shared || owner == input.state.ledger->end()) continue;
    if (const auto wrong = disagreement(input, card.pci, owner->second)) {
      report.add("ledger-disagrees", {card.id.text(), fmt::format("For {}, {}.", card.id.text(), *wrong),
                                      "gpu-interlock ledger adopt"});
    }
  }
}

void add_gate(const HostState& state, Report& report) {
  if (!state.gate_gaps) {
    report.cannot_tell("whether the gate is in the way of every start");
  } else if (!state.gate_gaps->empty()) {
    report.add("gate-missing", {"gate", fmt::format("The gate is not asked by {}.", listed(*state.gate_gaps)),
                                "gpu-interlock gate install"});
  }
}

/// With these drivers `powersave` is the demand-driven setting (kernel:
/// Documentation/admin-guide/pm/intel_pstate.rst, amd-pstate.rst, active mode).
bool follows_demand(const std::string& driver) {
  return driver == "intel_pstate" || driver == "amd-pstate-epp" || driver == "amd_pstate_epp";
}

void add_governors(const HostState& state, Report& report) {
  for (const CpuGovernor& governor : state.governors) {
    if (governor.governor != "powersave" || follows_demand(governor.driver)) continue;
    report.add("governor-powersave",
               {"host",
                fmt::format("{} CPUs are held at their lowest clock by the governor powersave of {}.",
                            governor.cpus, printable(governor.driver)),
                "Set another one, for example cpupower frequency-set -g schedutil"});
  }
}

void add_run_states(const AuditInput& input, Report& report) {
  for (const Container& container : input.state.containers) {
    const auto declared = input.policy.containers.find(container.vmid);
    const bool is_declared = declared != input.policy.containers.end();
    if (container.running == RunState::unknown && (is_declared || input.binds_ours(container))) {
      report.cannot_tell(fmt::format("whether container {} runs", container.vmid.text()));
    }
    // With two units or more, what is not known of them is said by cannot_tell(), with the reason.
    if (!is_declared || declared->second.units.size() != 1 || container.running != RunState::running)
      continue;
    if (container.units_answer == UnitsAnswer::answered) continue;
    report.cannot_tell(fmt::format("whether {} in container {} runs{}", declared->second.units.front().text(),
                                   container.vmid.text(),
                                   container.units_error.empty() ? "" : ": " + container.units_error));
  }
}

}  // namespace

void audit_host(const AuditInput& input, Report& report) {
  add_cutover(input.state, report);
  add_policy(input, report);
  add_ledger(input, report);
  add_gate(input.state, report);
  add_governors(input.state, report);
}

void audit_sight(const AuditInput& input, Report& report) {
  for (const std::string& sentence : input.state.cannot_tell) report.cannot_tell(sentence);
  for (const std::string& sentence : cannot_tell(input.state, input.policy)) report.cannot_tell(sentence);
  add_run_states(input, report);
}

}  // namespace interlock::decide
