// How a cutover or a recovery is followed and how its report becomes an outcome.
#pragma once

#include <string>

#include "act/cutover.h"
#include "cli/context.h"

namespace interlock::cli {

/// Prints each step as it goes, on a terminal; elsewhere it prints nothing.
act::Progress live_progress(Context& context);

/// Exit code, JSON and text. Steps that went by live are not told again.
Outcome outcome_of(const act::CutoverReport& report, const std::string& name, const Context& context);

}  // namespace interlock::cli
