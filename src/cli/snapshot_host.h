// A folder that `gpu-interlock snapshot` made, as the host that it was made of: its files, and beside them
// what no folder can say (snapshot.json): errors, locks that were held, the answers of commands, the time.
#pragma once

#include <memory>

#include "cli/taken.h"

namespace interlock::cli {

inline constexpr const char* kBesideFiles = "/snapshot.json";

/// `host` itself where it is no snapshot. Nothing is changed in one, and no command is run: EROFS.
Result<std::unique_ptr<Host>> as_it_was(std::unique_ptr<Host> host);

}  // namespace interlock::cli
