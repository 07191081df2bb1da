#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "pages.h"

namespace interlock::pages {
namespace {

std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string value_of(const std::string& value) {
  if (value == "FILE") return " -r -F";
  if (value == "DIR") return " -x -a '(__fish_complete_directories)'";
  if (!names_of(value).empty()) return fmt::format(" -x -a '(__gpu_interlock_names {})'", names_of(value));
  if (value.find('|') == std::string::npos) return " -x";
  std::string words = value;
  std::ranges::replace(words, '|', ' ');
  return " -x -a " + in_quotes(words);
}

std::string option_lines(const Option& option, const std::string& when) {
  std::string line = "complete -c gpu-interlock" + when;
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) line += value_of(option.value);
  return line + " -d " + in_quotes(option.about) + "\n";
}

std::string argument_lines(const Argument& argument, const std::string& when) {
  if (argument.name == "FILE" || argument.name == "DIR") return "complete -c gpu-interlock" + when + " -F\n";
  if (names_of(argument.name).empty()) return "";
  return fmt::format("complete -c gpu-interlock{} -a '(__gpu_interlock_names {})' -d {}\n", when,
                     names_of(argument.name), in_quotes(argument.about));
}

}  // namespace

std::string fish_completion(const std::vector<Command>& all) {
  std::set<std::string> valued;
  std::vector<std::string> paths;
  for (const Command& command : all) {
    if (!command.path.empty()) paths.push_back(in_quotes(command.path));
    for (const Option& option : command.options) {
      if (!option.value.empty()) valued.insert(option.names.front());
    }
  }
  std::string text =
      "# fish completion for gpu-interlock. Written from its command line by test_pages; do not edit.\n\n";
  text += "set -g __gpu_interlock_paths " + joined(paths, " ") + "\n";
  text += "set -g __gpu_interlock_valued " + joined({valued.begin(), valued.end()}, " ") + R"shell(

# The command that the line has come to: 'policy check'; a cutover's name alone is 'cutover'.
function __gpu_interlock_path
    set -l path ''
    set -l value ''
    for token in (commandline -opc)[2..-1]
        if test -n "$value"
            set value ''
        else if string match -q -- '-*' $token
            contains -- $token $__gpu_interlock_valued; and set value $token
        else if contains -- (string trim -- "$path $token") $__gpu_interlock_paths
            set path (string trim -- "$path $token")
        else if test -z "$path"
            set path cutover
        end
    end
    echo $path
end
function __gpu_interlock_at
    test (__gpu_interlock_path) = "$argv[1]"
end
function __gpu_interlock_names
    set -l globals
    set -l option ''
    for token in (commandline -opc)[2..-1]
        if test -n "$option"
            set globals $globals $option $token
            set option ''
        else if contains -- $token --policy --root
            set option $token
        end
    end
    gpu-interlock $globals names $argv[1] 2>/dev/null
end

complete -c gpu-interlock -f
)shell";
  for (const Command& command : all) {
    const std::string when = command.path.empty() ? "" : " -n \"__gpu_interlock_at '" + command.path + "'\"";
    for (const Option& option : command.options) {
      const bool everywhere = option.names.front() == "--help";
      if (!everywhere || command.path.empty()) text += option_lines(option, when);
    }
    for (const std::string& name : command.commands) {
      const std::string path = command.path.empty() ? name : command.path + " " + name;
      text += fmt::format("complete -c gpu-interlock -n \"__gpu_interlock_at '{}'\" -a {} -d {}\n",
                          command.path, name, in_quotes(pages::command(all, path).about));
    }
    for (const Argument& argument : command.arguments) text += argument_lines(argument, when);
  }
  return text +
         "complete -c gpu-interlock -n \"__gpu_interlock_at ''\" -a '(__gpu_interlock_names cutovers)' -d 'A "
         "cutover of the policy'\n";
}

}  // namespace interlock::pages
