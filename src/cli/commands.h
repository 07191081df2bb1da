// Every command adds itself to the command line, with its options and their help, and says what to do when
// chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/context.h"

namespace interlock::cli {

using Action = std::function<Outcome(Context&)>;

/// What the manual says of a command and its --help below the options: paragraphs with an empty line between
/// them.
void at_length(CLI::App& command, std::string_view prose);

void add_status(CLI::App& app, Action& action);
void add_watch(CLI::App& app, Action& action);
void add_audit(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_cutover(CLI::App& app, Action& action);
void add_recover(CLI::App& app, Action& action);
void add_history(CLI::App& app, Action& action);
void add_reset(CLI::App& app, Action& action);
void add_shed(CLI::App& app, Action& action);
void add_drill(CLI::App& app, Action& action);
void add_sensors(CLI::App& app, Action& action);
void add_snapshot(CLI::App& app, Action& action);
void add_policy(CLI::App& app, Action& action);
void add_ledger(CLI::App& app, Action& action);
void add_gate(CLI::App& app, Action& action);
/// Hidden: what shells complete with.
void add_names(CLI::App& app, Action& action);

}  // namespace interlock::cli
