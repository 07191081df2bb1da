// The policy's `healthy` commands, run inside the container.
#pragma once

#include "act/run.h"

namespace interlock::act {

/// Each succeeds within its own time, counted from now. `objection`: why to stop waiting; nothing: go on.
Outcome become_healthy(Run& run, Vmid vmid, const std::function<std::optional<std::string>()>& objection);

/// Each is asked once, now.
Outcome is_healthy(Run& run, Vmid vmid);

}  // namespace interlock::act
