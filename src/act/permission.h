// Whether a cutover may go forward: every condition, and a plan with a proof.
#pragma once

#include <expected>
#include <memory>
#include <vector>

#include "act/cutover.h"
#include "act/run.h"
#include "decide/permissives.h"
#include "model/host_state.h"

namespace interlock::act {

/// The permissives that a look shows, and those that only a running container can answer.
std::vector<Unmet> all_unmet(Run& run, const HostState& state, const Target& target,
                             const decide::Allowed& allowed);

/// A plan that is proven, or what stands against it.
std::expected<Plan, Unmet> proven_plan(const Run& run, const HostState& state, const Target& target);

/// Vzdump's own lock: none runs, and none starts while it is held (pct.md, section 3). Held elsewhere: unmet.
std::expected<std::unique_ptr<HeldLock>, Unmet> keep_backups_out(Host& host);

CutoverReport refused(std::vector<Unmet> unmet);

}  // namespace interlock::act
