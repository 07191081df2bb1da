// I1 looked at once more, just before a card is granted or a container is started with it: since the plan was
// made somebody may have brought another container back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "act/run.h"

namespace interlock::act {

/// Why `vmid` may not have one of these cards now: another container runs with it, or would start with it by
/// itself. Nothing: nobody else can hold them.
std::optional<std::string> held_elsewhere(Run& run, Vmid vmid, const std::vector<PciAddress>& cards);

}  // namespace interlock::act
