// What must be so inside a container before its unit starts: the policy's `requires` and `files`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "act/run.h"
#include "model/finding.h"

namespace interlock::act {

/// The requirements of that container that do not hold, or could not be asked; it must run.
std::vector<Unmet> unmet_requirements(Run& run, Vmid vmid);

/// Places the files and asks the requirements, each once in a run. On a way back: gives back the files as
/// they were.
Outcome prepare(Run& run, Vmid vmid);

/// Why nothing may be started on these cards; nothing: none is latched.
std::optional<std::string> latched(Run& run, const std::set<PciAddress>& cards);

}  // namespace interlock::act
