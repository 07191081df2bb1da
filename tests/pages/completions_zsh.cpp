#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "pages.h"

namespace interlock::pages {
namespace {

/// Within '...' and between brackets or colons of a spec.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string action_of(const std::string& value) {
  if (value == "FILE") return "_files";
  if (value == "DIR") return "_files -/";
  if (!names_of(value).empty()) return "_gpu_interlock_names " + names_of(value);
  if (value.find('|') == std::string::npos) return " ";
  std::string words = value;
  std::ranges::replace(words, '|', ' ');
  return "(" + words + ")";
}

std::string function_of(const std::string& path) {
  std::string name = "_gpu_interlock" + (path.empty() ? "" : "_" + path);
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::string option_spec(const Option& option) {
  std::string text;
  for (const std::string& name : option.names) {
    text +=
        fmt::format(" \\\n    '{}[{}]{}'", name, escaped(option.about),
                    option.value.empty() ? "" : ":" + escaped(option.value) + ":" + action_of(option.value));
  }
  return text;
}

std::string arguments_spec(const Command& command) {
  std::string text;
  for (const Argument& argument : command.arguments) {
    text += fmt::format(" \\\n    '{}:{}:{}'",
                        argument.many       ? "*"
                        : argument.required ? "1"
                                            : "1:",
                        argument.name, action_of(argument.name));
  }
  return text;
}

std::string function(const Command& command, const std::vector<Command>& all) {
  std::string text = function_of(command.path) + "() {\n  _arguments -C";
  for (const Option& option : command.options) text += option_spec(option);
  if (!command.path.empty()) text += " $_gpu_interlock_globals";
  if (command.commands.empty()) return text + arguments_spec(command) + "\n}\n";

  text += " \\\n    '1: :" + function_of(command.path) + "_commands' '*:: :->below'\n";
  if (command.path.empty()) text += "  _gpu_interlock_given=(\"${(@)words}\")\n";
  text += "  [[ $state == below ]] || return\n  case $words[1] in\n";
  for (const std::string& name : command.commands) {
    const std::string path = command.path.empty() ? name : command.path + " " + name;
    text += fmt::format("    {}) {} ;;\n", name, function_of(path));
  }
  if (command.path.empty()) text += "    *) _gpu_interlock_cutover ;;\n";  // a cutover's name alone
  text += "  esac\n}\n" + function_of(command.path) + "_commands() {\n  local -a commands=(";
  for (const std::string& name : command.commands) {
    const std::string path = command.path.empty() ? name : command.path + " " + name;
    text += fmt::format("\n    '{}:{}'", name, escaped(pages::command(all, path).about));
  }
  text += "\n  )\n  _describe command commands\n";
  if (command.path.empty()) text += "  _gpu_interlock_names cutovers\n";
  return text + "}\n";
}

}  // namespace

std::string zsh_completion(const std::vector<Command>& all) {
  std::string text =
      "#compdef gpu-interlock\n# Written from its command line by test_pages; do not edit.\n\n"
      "typeset -ga _gpu_interlock_globals=(";
  for (const Option& option : all.front().options) {
    const std::string& name = option.names.front();
    if (name == "--help" || name == "--version") continue;
    text += fmt::format("\n  '{}[{}]{}'", name, escaped(option.about),
                        option.value.empty() ? "" : ":" + option.value + ":" + action_of(option.value));
  }
  text +=
      "\n)\n\n"
      "_gpu_interlock_names() {\n"
      "  local -a names globals\n"
      "  [[ -n ${opt_args[--root]} ]] && globals+=(--root \"${(Q)opt_args[--root]}\")\n"
      "  [[ -n ${opt_args[--policy]} ]] && globals+=(--policy \"${(Q)opt_args[--policy]}\")\n"
      "  names=(${(f)\"$(gpu-interlock $globals names $1 2>/dev/null)\"})\n"
      "  compadd -a names\n"
      "}\n\n";
  for (const Command& command : all) text += function(command, all);
  return text + "\n_gpu_interlock \"$@\"\n";
}

}  // namespace interlock::pages
