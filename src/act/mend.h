// For the person who is needed: what is not as it was, and the command that mends it.
#pragma once

#include <string>
#include <vector>

#include "act/run.h"
#include "model/host_state.h"

namespace interlock::act {

/// One message for each thing that differs from `wanted`, and how to come there.
std::vector<std::string> what_to_mend(Run& run, const Target& wanted);

/// The command by which a person does what a step does.
std::string command_for(const Step& step);

/// Who has each of the policy's cards by what is bound: the one container that binds it, or nobody.
Ledger bound_ledger(const HostState& state, const Policy& policy);

/// A ledger that cannot be read is written anew: this run's cards are held by it, the others are whose they
/// are bound to.
Result<void> rebuild_ledger(Run& run, const HostState& state);

}  // namespace interlock::act
