// Running a cutover as a unit of the host and telling what it says, until it is over.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace interlock::cli {

/// `options` of `cutover`, besides those of the command line as a whole, which it passes on by itself.
Outcome run_and_follow(Context& context, const std::string& cutover, std::vector<std::string> options);

}  // namespace interlock::cli
