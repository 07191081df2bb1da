#include <fmt/format.h>

#include <algorithm>

#include "decide/findings_rules.h"
#include "decide/invariants.h"

namespace interlock::decide {
namespace {

const Breach* breach_of(const std::vector<Breach>& breaches, const PciAddress& card) {
  const auto found = std::ranges::find(breaches, std::optional(card), &Breach::card);
  return found == breaches.end() ? nullptr : &*found;
}

std::size_t machines(const AuditInput& input, const PciAddress& card) {
  const auto found = input.state.vms.find(card);
  return found == input.state.vms.end() ? 0 : found->second.size();
}

/// The target of a stopped container's `release: keep-binding` says that it may keep its card.
bool may_keep_binding(const Policy& policy, Vmid vmid) {
  return std::ranges::any_of(policy.cutovers, [&](const auto& cutover) {
    const auto container = cutover.second.containers.find(vmid);
    return container != cutover.second.containers.end() && container->second.want.keep_binding;
  });
}

bool is_owner(const AuditInput& input, Vmid vmid, const PciAddress& card) {
  if (!input.state.ledger) return false;
  const auto owner = input.state.ledger->find(card);
  return owner != input.state.ledger->end() && owner->second == Owner::of(vmid);
}

void add_conflict(const AuditInput& input, const PolicyCard& card, Report& report,
                  const std::vector<Breach>& now, const std::vector<Breach>& boot) {
  const Breach* broken_now = breach_of(now, card.pci);
  const Breach* broken_at_boot = breach_of(boot, card.pci);
  const auto binders = input.binders(card.pci);
  const auto up =
      std::ranges::count_if(binders, [](const Container* c) { return c->running != RunState::stopped; });
  const bool double_bound =
      broken_now != nullptr && static_cast<std::size_t>(up) + machines(input, card.pci) >= 2;
  const std::string remedy = fmt::format(
      "Run a cutover whose target gives {0} to one of them, or take {0} out of the configuration of the "
      "other, and its "
      "autostart away.",
      card.id.text());
  if (double_bound) report.add("card-double-bound", {card.id.text(), broken_now->message + ".", remedy});
  const Breach* to_come = broken_at_boot != nullptr ? broken_at_boot : double_bound ? nullptr : broken_now;
  if (to_come != nullptr)
    report.add("card-autostart-conflict", {card.id.text(), to_come->message + ".", remedy});
}

/// Without a breach: the second container is stopped and stays so, until somebody starts it.
void add_clones(const AuditInput& input, const PolicyCard& card, Report& report) {
  const auto binders = input.binders(card.pci);
  if (binders.size() < 2) return;
  for (const Container* container : binders) {
    if (container->can_hold(card.pci) || container->is_template) continue;
    if (is_owner(input, container->vmid, card.pci) || may_keep_binding(input.policy, container->vmid))
      continue;
    std::vector<std::string> others;
    for (const Container* other : binders) {
      if (other != container) others.push_back(other->vmid.text());
    }
    report.add(
        "clone-double-bound",
        {container->vmid.text(),
         fmt::format("Container {} is stopped and binds {}, which {} binds too.", container->vmid.text(),
                     card.id.text(), listed(others)),
         fmt::format("Take {} out of the configuration of {} if it is a copy or no longer needs the card.",
                     card.id.text(), container->vmid.text())});
  }
}

void add_machines(const AuditInput& input, const PolicyCard& card, Report& report) {
  const auto found = input.state.vms.find(card.pci);
  if (found == input.state.vms.end() || found->second.empty()) return;
  report.add("card-bound-by-vm",
             {card.id.text(),
              fmt::format("{} is passed through to {}, which runs or starts by itself.", card.id.text(),
                          listed(found->second)),
              fmt::format("Take the hostpci line out of its configuration, or {} out of the policy.",
                          card.id.text())});
}

}  // namespace

void audit_exclusiveness(const AuditInput& input, Report& report) {
  const auto now = breaches(input.state, input.policy);
  const auto boot = boot_breaches(input.state, input.policy);
  for (const PolicyCard& card : input.policy.cards) {
    add_machines(input, card, report);
    if (card.shared) continue;
    add_conflict(input, card, report, now, boot);
    if (breach_of(now, card.pci) == nullptr && breach_of(boot, card.pci) == nullptr)
      add_clones(input, card, report);
  }
}

}  // namespace interlock::decide
