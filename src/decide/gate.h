// Whether a container may start now (design, section 6 "The gate"; 11.1, 11.3, 11.4). Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/gate_text.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::decide {

struct GateQuestion {
  Vmid vmid;
  /// What it would have: its configuration and the generated one together, the policy's cards or not.
  std::set<PciAddress> cards;
  /// Starts that have passed the gate and are not seen over; this container's own too.
  std::vector<Claim> claims;
  /// A person's word; nothing: none.
  std::optional<Allowance> allowance;
};

struct GateAnswer {
  bool allow = true;
  std::vector<std::string> refusals;  // one sentence each, empty when allowed
  bool opened = false;                // only a person's word lets it pass
  std::set<PciAddress> claimed;       // the judged cards that it starts with
};

/// `state` needs containers with bindings, running states and holders, the ledger and its error; units and
/// samples it does not.
GateAnswer gate(const GateQuestion& question, const HostState& state, const Policy& policy);

/// The cards of `cards` that the gate judges: the policy's, and not those that may be shared.
std::set<PciAddress> judged_cards(const std::set<PciAddress>& cards, const Policy& policy);

/// How long a claim counts as running when nobody sees the start end.
inline constexpr Duration kClaimLife = std::chrono::seconds(60);
/// How long a person's allowance lasts.
inline constexpr Duration kAllowanceLife = std::chrono::minutes(2);

}  // namespace interlock::decide
