// A plan walked over the model (design, section 6): each step keeps to the order that is a law; in each state
// on the way, and after a power cut in it, the invariants hold without the ledger's and the gate's help; and
// from each of these a way back to the beginning exists that is walked under the same rules.
//
// What was broken before the first step (Proof::inherited) is no fault of the plan while it lasts, or a host
// in a bad state could not be led out of it; once mended it must stay so. That a cutover begins in no such
// state is a permissive.
#pragma once

#include <string>

#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

/// What a refusal says of a plan without a proof: the first breaches, and how many more there are. The proof
/// has them all.
std::string why_unproven(const Proof& proof);

/// The state that a step makes of another when it does what it says.
HostState after_step(const HostState& state, const Policy& policy, const Step& step);

/// `home` is where each state on the way must be able to go: the journal's way back. Of a plan that is itself
/// a way back it is that plan's own target.
Proof prove(const HostState& beginning, const Policy& policy, const Plan& plan, const Target& home);

/// The same for a plan that begins a cutover: home is the beginning. One that breaks an invariant is no place
/// to go back to; then each state must lead on to the target.
Proof prove(const HostState& beginning, const Policy& policy, const Plan& plan);

}  // namespace interlock::decide
