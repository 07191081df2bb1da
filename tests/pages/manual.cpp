#include <fmt/format.h>

#include "base/text.h"
#include "cli/outcome.h"
#include "cli/refusals.h"
#include "decide/finding_codes.h"
#include "pages.h"
#include "roff.h"

namespace interlock::pages {
namespace {

std::string value_shown(const std::string& value) {
  return value.find('|') == std::string::npos ? roff::italic(value) : roff::bold(value);
}

std::string names_shown(const Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(roff::bold(name));
  return joined(names, ", ") + (option.value.empty() ? "" : " " + value_shown(option.value));
}

std::string argument_shown(const Argument& argument) {
  const std::string name = roff::italic(argument.name) + (argument.many ? "..." : "");
  return argument.required ? name : "[" + name + "]";
}

std::string synopsis(const Command& command) {
  std::string line = roff::bold(command.path);
  for (const Argument& argument : command.arguments) line += " " + argument_shown(argument);
  if (command.arguments.empty() && !command.commands.empty()) line += " " + roff::italic("COMMAND");
  for (const Option& option : command.options) {
    if (option.names.front() == "--help") continue;
    line += fmt::format(" [{}{}]", roff::bold(option.names.front()),
                        option.value.empty() ? "" : " " + value_shown(option.value));
  }
  return line;
}

std::string sentence(const std::string& about) {
  return roff::prose(about.ends_with('.') ? about : about + ".");
}

std::string item(const std::string& tag, const std::string& about) {
  return ".TP\n" + tag + "\n" + sentence(about);
}

}  // namespace

std::string options_section(const Command& program) {
  std::string text;
  for (const Option& option : program.options) text += item(names_shown(option), option.about);
  return text;
}

std::string commands_section(const std::vector<Command>& all) {
  std::string text;
  for (const Command& command : all) {
    if (command.path.empty()) continue;
    text += ".SS \"" + roff::escaped(command.path) + "\"\n" + synopsis(command) + "\n.PP\n" +
            sentence(command.about);
    if (!command.at_length.empty()) text += ".PP\n" + roff::prose(command.at_length);
    for (const Argument& argument : command.arguments) text += item(argument_shown(argument), argument.about);
    for (const Option& option : command.options) {
      if (option.names.front() != "--help") text += item(names_shown(option), option.about);
    }
  }
  return text;
}

std::string exits_section() {
  std::string text;
  for (const auto& [code, meaning] : cli::exits::meanings())
    text += ".TP\n" + roff::bold(std::to_string(code)) + "\n" + roff::prose(meaning);
  return text;
}

std::string findings_section() {
  std::string text;
  for (const decide::FindingCode& code : decide::finding_codes()) {
    text += fmt::format(".SS \"{}\"\n{}, {}: {}.\n.PP\n{}", code.code, roff::bold(code.code),
                        to_string(code.severity), roff::escaped(code.summary), roff::prose(code.page));
  }
  return text;
}

std::string refusals_section() {
  std::string text;
  for (const cli::Refusal& refusal : cli::refusals())
    text += item(roff::bold(refusal.code), std::string(refusal.meaning));
  return text;
}

}  // namespace interlock::pages
