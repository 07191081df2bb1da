// A first policy out of what a shell watchdog was told, held against the host: `policy import`. Pure.
#pragma once

#include <string>

#include "base/result.h"
#include "decide/sketch_host.h"
#include "policy/watchdog.h"

namespace interlock::decide {

/// What the file names, for a policy to look at the host with: cards gpu1, gpu2 ... in the file's order, and
/// its services by container.
Sketch watchdog_sketch(const Watchdog& watchdog);

/// `state`: looked at with a policy of watchdog_sketch(); or why it could not be: then the file is taken at
/// its word, and a remark says so. `file`: its name, for the heading. The sketch has no card where none that
/// the file names is in the machine.
Sketched sketch_import(const Watchdog& watchdog, const FoundCards& found, const Result<HostState>& state,
                       const std::string& file);

}  // namespace interlock::decide
