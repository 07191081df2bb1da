// The audit: every rule that is broken (design, section 7). Pure.
#pragma once

#include "model/finding.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::decide {

Audit audit(const HostState& state, const Policy& policy);

}  // namespace interlock::decide
