#include "tree.h"

#include <algorithm>
#include <stdexcept>

#include "base/text.h"

namespace interlock::pages {
namespace {

const auto kAll = [](const auto*) { return true; };

/// Filled paragraphs as one line each.
std::string unfilled(const std::string& footer) {
  std::string text;
  for (const auto line : lines_of(footer)) {
    if (line.empty()) {
      text += "\n\n";
    } else {
      if (!text.empty() && !text.ends_with('\n')) text += ' ';
      text += line;
    }
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

Option option_of(const CLI::Option& option) {
  Option made{.names = {}, .value = {}, .about = option.get_description()};
  for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) made.names.push_back("-" + name);
  if (option.get_type_size_max() > 0) made.value = option.get_type_name();
  return made;
}

void add_options(const CLI::App& app, Command& command) {
  for (const CLI::Option* option : app.get_options(kAll)) {
    const Option named = option_of(*option);
    const auto known = std::ranges::find(command.options, named.names, &Option::names);
    if (known != command.options.end()) continue;  // a group has --help, too
    if (!option->get_positional()) {
      command.options.push_back(named);
      continue;
    }
    command.arguments.push_back({option->get_name(true), option->get_description(), option->get_required(),
                                 option->get_items_expected_max() > 1});
  }
  // A group of options is an app without a name in CLI11.
  for (const CLI::App* group : app.get_subcommands(kAll)) {
    if (group->get_name().empty()) add_options(*group, command);
  }
}

void add(const CLI::App& app, const std::string& path, std::vector<Command>& all) {
  Command command{.path = path,
                  .about = app.get_description(),
                  .at_length = {},
                  .options = {},
                  .arguments = {},
                  .commands = {}};
  if (!path.empty()) command.at_length = unfilled(app.get_footer());
  add_options(app, command);
  std::vector<const CLI::App*> below;
  for (const CLI::App* next : app.get_subcommands(kAll)) {
    if (next->get_name().empty() || next->get_group().empty()) continue;
    below.push_back(next);
    command.commands.push_back(next->get_name());
  }
  all.push_back(std::move(command));
  for (const CLI::App* next : below)
    add(*next, path.empty() ? next->get_name() : path + " " + next->get_name(), all);
}

}  // namespace

std::vector<Command> commands() {
  cli::Request request;
  const auto app = cli::command_line(request);
  std::vector<Command> all;
  add(*app, "", all);
  return all;
}

const Command& command(const std::vector<Command>& all, const std::string& path) {
  const auto found = std::ranges::find(all, path, &Command::path);
  if (found == all.end()) throw std::logic_error("no command " + path);
  return *found;
}

}  // namespace interlock::pages
