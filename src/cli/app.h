// The command line as a whole: arguments in, exit code out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace interlock::cli {

/// What one command line asks for.
struct Request {
  Globals globals;
  Action action;  // nothing: `early` says it all (help, version, a usage error)
  Outcome early;
};

/// Every command with its options and their help. What it parses goes into `request`, which must outlive it.
std::unique_ptr<CLI::App> command_line(Request& request);

/// `arguments` without the program's name. `root` is what GPU_INTERLOCK_ROOT says, or empty.
Request parse_command_line(std::vector<std::string> arguments, const std::string& root);

/// `to-qwen38fn --yes` means `cutover to-qwen38fn --yes`: with "cutover" before a first word that is no
/// command.
std::vector<std::string> with_cutover_spelt_out(std::vector<std::string> arguments,
                                                const std::vector<std::string>& commands);

}  // namespace interlock::cli
