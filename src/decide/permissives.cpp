#include "decide/permissives.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/invariants.h"
#include "decide/permissives_cards.h"

namespace interlock::decide {
namespace {

using Found = std::vector<Unmet>;

std::string untold(Truth value, std::string_view no, std::string_view unknown) {
  return std::string(value == Truth::no ? no : unknown);
}

void check_proxmox(const HostState& state, Found& found) {
  if (state.pve_mounted != Truth::yes) {
    found.push_back(
        {"pve-mounted", "host",
         untold(state.pve_mounted, "/etc/pve is not mounted: no configuration can be read or changed",
                "whether /etc/pve is mounted cannot be told"),
         "systemctl status pve-cluster"});
  }
  if (state.quorate != Truth::yes) {
    found.push_back({"quorum", "host",
                     untold(state.quorate, "this node has no quorum: no configuration can be changed",
                            "whether this node has quorum cannot be told"),
                     "pvecm status"});
  }
  if (state.backup_running != Truth::no) {
    found.push_back({"backup-running", "host",
                     state.backup_running == Truth::yes
                         ? "a backup job runs, which may stop and start containers"
                         : "whether a backup job runs cannot be told",
                     "wait until vzdump is done"});
  }
  for (const std::string& worker : state.workers) {
    found.push_back({"worker-running", "host",
                     fmt::format("a Proxmox task is at work on a container: {}", printable(worker)),
                     "wait for it, or end it in the task list"});
  }
}

void check_own_state(const HostState& state, const Allowed& allowed, Found& found) {
  if (state.cutover && !allowed.open_cutover) {
    const OpenCutover& open = *state.cutover;
    found.push_back({"cutover-open", open.name,
                     open.attended ? fmt::format("the cutover {} is at work", open.id)
                                   : fmt::format("the cutover {} was interrupted and is still open", open.id),
                     open.attended ? "wait for it" : "gpu-interlock recover"});
  }
  if (!state.ledger) {
    found.push_back({"ledger-unreadable", "host",
                     fmt::format("the ledger cannot be read: {}", state.ledger_error),
                     "gpu-interlock ledger rebuild"});
  }
}

void check_guard(const HostState& state, const Allowed& allowed, Found& found) {
  if (allowed.without_guard) return;
  if (state.guard.running != Truth::yes) {
    found.push_back({"guard-not-running", "gpu-interlockd",
                     untold(state.guard.running, "the guard does not run: nothing watches the cards",
                            "whether the guard runs cannot be told"),
                     "systemctl start gpu-interlockd, or --without-guard"});
  } else if (!state.guard.fresh) {
    found.push_back({"guard-stale", "gpu-interlockd",
                     "the guard runs, and has not judged every card within its deadline",
                     "journalctl -u gpu-interlockd, or --without-guard"});
  }
}

void check_invariants(const HostState& state, const Policy& policy, Found& found) {
  const auto now = breaches(state, policy);
  const auto known = [&](const Breach& breach) {
    return std::ranges::any_of(now, [&](const Breach& other) {
      return other.invariant == breach.invariant && other.card == breach.card &&
             std::ranges::includes(other.containers, breach.containers);
    });
  };
  const auto add = [&](const Breach& breach) {
    const std::string subject = breach.card                 ? policy.card_name(*breach.card)
                                : breach.containers.empty() ? "host"
                                                            : breach.containers.begin()->text();
    found.push_back({"invariant-broken", subject, breach.invariant + " is broken already: " + breach.message,
                     "gpu-interlock audit"});
  };
  for (const Breach& breach : now) add(breach);
  for (const Breach& breach : boot_breaches(state, policy)) {
    if (!known(breach)) add(breach);
  }
}

bool changes_cards_later(const Policy& policy, const Binding& binding) {
  if (binding.when != Binding::When::next_start && !binding.live_after_removal) return false;
  return binding.every_card || std::ranges::any_of(binding.cards, [&](const PciAddress& card) {
           return policy.card(card) != nullptr;
         });
}

void check_container(const Policy& policy, const Container& container, Found& found) {
  const std::string vmid = container.vmid.text();
  const auto add = [&](const char* code, std::string message, std::string remedy) {
    found.push_back({code, vmid, std::move(message), std::move(remedy)});
  };
  if (container.is_template) {
    add("container-template", fmt::format("container {} is a template", vmid), "name another container");
  }
  if (container.running == RunState::unknown) {
    add("container-state-unknown", fmt::format("whether container {} runs cannot be told", vmid),
        fmt::format("pct status {}", vmid));
  }
  if (!container.lock.empty()) {
    add("container-locked", fmt::format("container {} has the lock \"{}\"", vmid, printable(container.lock)),
        fmt::format("wait for what set it; if nothing is at work: pct unlock {}", vmid));
  }
  if (container.autostart.ha_state) {
    add("container-ha-managed",
        fmt::format("container {} is managed by HA (state {}), which starts and stops it by itself", vmid,
                    printable(*container.autostart.ha_state)),
        fmt::format("ha-manager remove ct:{}", vmid));
  }
  if (std::ranges::any_of(container.bindings,
                          [&](const Binding& binding) { return changes_cards_later(policy, binding); })) {
    add("container-pending-binding",
        fmt::format("container {} has a change of its cards pending until its next start", vmid),
        fmt::format("restart it, or take the change back: pct pending {}", vmid));
  }
}

/// What would bring a container back, with its card, that is to stay down (pct.md, section 5).
void check_stays_down(const Change& change, Found& found) {
  if (change.runs_after || change.want->state != RunState::stopped) return;
  const std::string vmid = change.now->vmid.text();
  if (change.now->autostart.lxc_start_auto) {
    found.push_back(
        {"container-starts-itself", vmid,
         fmt::format("container {} is to be stopped, and its lxc.start.auto starts it at each boot, "
                     "whatever onboot says",
                     vmid),
         "take the line lxc.start.auto out of its configuration"});
  }
  if (change.want->keep_binding && !change.now->stop_backups.empty()) {
    found.push_back(
        {"backup-stop-mode", vmid,
         fmt::format("container {} is to keep its binding while it is stopped, and the backup job {} "
                     "stops and starts it",
                     vmid, joined(change.now->stop_backups, ", ")),
         "set the job's mode to snapshot, or leave out `release: keep-binding`"});
  }
}

void check_units(const Change& change, Found& found) {
  const Container& container = *change.now;
  const std::string vmid = container.vmid.text();
  if (!change.runs_now || change.declared.empty()) return;
  if (container.units_answer != UnitsAnswer::answered) {
    found.push_back({"units-unanswered", vmid,
                     fmt::format("container {} runs, and does not say what its units do: {}", vmid,
                                 container.units_error.empty() ? "it was not asked" : container.units_error),
                     fmt::format("pct exec {} -- systemctl is-system-running", vmid)});
    return;
  }
  if (!change.want->serve) return;
  const Unit* unit = container.unit(*change.want->serve);
  const bool masked =
      unit != nullptr && (unit->load == LoadState::masked || unit->file == UnitFileState::masked);
  if (unit == nullptr || (unit->load != LoadState::not_found && !masked)) return;
  found.push_back({"unit-missing", vmid + "/" + unit->name.text(),
                   fmt::format("{} is to serve in container {}, and {}", unit->name.text(), vmid,
                               masked ? "is masked there" : "does not exist there"),
                   masked ? fmt::format("pct exec {} -- systemctl unmask {}", vmid, unit->name.text())
                          : "correct its name in the policy, or install it"});
}

}  // namespace

std::vector<Unmet> unmet(const HostState& state, const Policy& policy, const Target& target,
                         const Allowed& allowed) {
  Found found;
  check_proxmox(state, found);
  check_own_state(state, allowed, found);
  check_guard(state, allowed, found);
  check_invariants(state, policy, found);
  for (const auto& [vmid, want] : target.wants) {
    if (state.container(vmid) != nullptr) continue;
    found.push_back({"container-missing", vmid.text(),
                     fmt::format("container {} does not exist on this node", vmid.text()),
                     "correct the policy, or create it: pct list"});
  }
  const auto what = changes(state, policy, target);
  for (const Change& change : what) {
    check_container(policy, *change.now, found);
    check_stays_down(change, found);
    check_units(change, found);
  }
  add_unmet_of_cards(state, policy, what, found);
  return found;
}

}  // namespace interlock::decide
