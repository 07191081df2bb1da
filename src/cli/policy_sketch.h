// First policies for a person to look through: `policy init` and `policy import`.
#pragma once

#include <string>

#include "cli/context.h"

namespace interlock::cli {

/// `output`: a file that is not there yet; empty: standard output.
Outcome policy_init(Context& context, const std::string& output);
Outcome policy_import(Context& context, const std::string& file);

}  // namespace interlock::cli
