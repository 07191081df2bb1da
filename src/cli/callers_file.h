// A file that the caller names on the command line is the caller's: no root is put before it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace interlock::cli {

Result<std::string> read_callers_file(const std::string& path);

/// Written beside, synced and put in place whole; EEXIST where it is there already.
Result<void> create_callers_file(const std::string& path, std::string_view text);

}  // namespace interlock::cli
