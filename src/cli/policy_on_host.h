// A policy held against the host that it is for. Pure.
#pragma once

#include "model/finding.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::cli {

/// What the policy names and the host does not have, as findings; what could not be told is in `unknown`.
/// Codes are the audit's, and container-missing, unit-missing, channel-missing.
Audit policy_on_host(const HostState& state, const Policy& policy);

}  // namespace interlock::cli
