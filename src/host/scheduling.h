// How soon a process runs when others want the processor, too (sched(7)).
#pragma once

#include "base/result.h"
#include "base/time.h"

namespace interlock {

/// One that goes on for this long without ever waiting has lost its way, and is ended (SIGXCPU).
inline constexpr Duration kLongestRun = std::chrono::seconds(1);

/// This process runs as soon as it can, whatever else does: the lowest real-time priority. Not its children.
Result<void> run_at_once();

/// This process and its children run before ordinary ones. Who may not ask for that does without.
void run_early();

}  // namespace interlock
