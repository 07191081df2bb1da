// One card by one look at its sensors: what can be told of it without Proxmox, without a guard and without a
// history.
#pragma once

#include "cli/context.h"
#include "host/host.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::cli {

Card card_alone(Context& context, const PolicyCard& card);

/// The policy's card of that name, or exit 2.
Or<PolicyCard> named_card(const Policy& policy, const std::string& name);

}  // namespace interlock::cli
