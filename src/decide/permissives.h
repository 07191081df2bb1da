// The conditions that must hold before a cutover may begin (design, section 6), all checked, all reported.
// What only a command inside a container can tell (`requires`) is asked elsewhere.
//
// Codes: pve-mounted, quorum, backup-running, worker-running, cutover-open, ledger-unreadable,
// invariant-broken, guard-not-running, guard-stale; of a container that the target names: container-missing,
// container-template, container-state-unknown, container-locked, container-ha-managed,
// container-pending-binding, container-starts-itself, backup-stop-mode, units-unanswered, unit-missing; of a
// card that a container is to run with: card-absent, card-replaced, card-lent, card-bound-by-vm,
// card-latched, card-hot, card-blind; of one that moves: holder-foreign, holder-unknown.
#pragma once

#include <vector>

#include "model/finding.h"
#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

struct Allowed {
  bool without_guard = false;
  bool open_cutover = false;  // it is the open one that is to be finished
};

std::vector<Unmet> unmet(const HostState& state, const Policy& policy, const Target& target,
                         const Allowed& allowed);

}  // namespace interlock::decide
