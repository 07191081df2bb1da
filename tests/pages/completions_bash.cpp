#include <fmt/format.h>

#include "base/text.h"
#include "pages.h"

namespace interlock::pages {
namespace {

/// What a value is completed with: "file", "folder", "names cards", "words a b", or "nothing" that can be
/// known.
std::string kind_of(const std::string& value) {
  if (value == "FILE") return "file";
  if (value == "DIR") return "folder";
  if (!names_of(value).empty()) return "names " + names_of(value);
  if (value.find('|') == std::string::npos) return "nothing";
  std::string words = "words";
  for (const auto word : split(value, '|')) words += " " + std::string(word);
  return words;
}

std::string in_quotes(const std::string& path) {
  return path.empty() ? "''" : path.find(' ') == std::string::npos ? path : "'" + path + "'";
}

/// The program's own options may stand behind every command.
std::vector<Option> options_at(const Command& command, const std::vector<Command>& all) {
  std::vector<Option> options = command.options;
  if (command.path.empty()) return options;
  for (const Option& option : all.front().options) {
    if (option.names.front() != "--help" && option.names.front() != "--version") options.push_back(option);
  }
  return options;
}

std::string commands_case(const std::vector<Command>& all) {
  std::string text;
  for (const Command& command : all) {
    if (!command.commands.empty())
      text += fmt::format("    {}) echo {} ;;\n", in_quotes(command.path), joined(command.commands, " "));
  }
  return text;
}

std::string options_case(const std::vector<Command>& all) {
  std::string text;
  for (const Command& command : all) {
    std::vector<std::string> names;
    for (const Option& option : options_at(command, all)) names.push_back(option.names.front());
    text += fmt::format("    {}) echo {} ;;\n", in_quotes(command.path), joined(names, " "));
  }
  return text;
}

std::string values_case(const std::vector<Command>& all) {
  std::string text;
  for (const Command& command : all) {
    for (const Option& option : command.options) {
      // The program's own may stand anywhere.
      const std::string path = command.path.empty() ? "*" : "'" + command.path + "'";
      if (!option.value.empty())
        text += fmt::format("    {}' {}') echo {} ;;\n", path, option.names.front(), kind_of(option.value));
    }
  }
  return text;
}

std::string arguments_case(const std::vector<Command>& all) {
  std::string text;
  for (const Command& command : all) {
    if (command.arguments.empty()) continue;
    const Argument& argument = command.arguments.front();
    text += fmt::format("    {}) echo {} {} ;;\n", in_quotes(command.path), argument.many ? "many" : "one",
                        kind_of(argument.name));
  }
  return text;
}

}  // namespace

std::string names_of(std::string_view value) {
  if (value == "CARD") return "cards";
  if (value == "NAME") return "cutovers";
  if (value == "VMID") return "containers";
  if (value == "CODE") return "codes";
  return value == "ID" ? "history" : "";
}

std::string bash_completion(const std::vector<Command>& all) {
  return "# bash completion for gpu-interlock. Written from its command line by test_pages; do not edit.\n\n"
         "# Words below a command: further commands, options, what an option's value is, what an argument "
         "is.\n"
         "_gpu_interlock_commands() {\n  case $1 in\n" +
         commands_case(all) + "  esac\n}\n_gpu_interlock_options() {\n  case $1 in\n" + options_case(all) +
         "  esac\n}\n_gpu_interlock_value() {\n  case $1 in\n" + values_case(all) +
         "  esac\n}\n_gpu_interlock_argument() {\n  case $1 in\n" + arguments_case(all) + "  esac\n}\n" +
         R"shell(
_gpu_interlock() {
  local program=$1 current=${COMP_WORDS[COMP_CWORD]} path='' option='' given=0 kind='' word i
  local -a globals=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $option ]]; then
      [[ $word == = ]] && continue
      [[ $option == --policy || $option == --root ]] && globals+=("$option" "$word")
      option=''
    elif [[ $word == -* ]]; then
      [[ $(_gpu_interlock_value "$path $word") ]] && option=$word
    elif [[ " $(_gpu_interlock_commands "$path") " == *" $word "* ]]; then
      path="${path:+$path }$word"
    elif [[ -z $path ]]; then
      path=cutover given=1 # a cutover's name alone
    else
      given=$((given + 1))
    fi
  done
  if [[ $option ]]; then
    [[ $current == = ]] && current=''
    kind=$(_gpu_interlock_value "$path $option")
  elif [[ $current == -* ]]; then
    kind="words $(_gpu_interlock_options "$path")"
  else
    kind=$(_gpu_interlock_argument "$path")
    [[ $kind == one* && $given -gt 0 ]] && kind=''
    kind=${kind#* }
    word=$(_gpu_interlock_commands "$path")
    [[ -z $path ]] && word+=" $("$program" "${globals[@]}" names cutovers 2>/dev/null)"
    [[ $word && $given -eq 0 ]] && mapfile -t COMPREPLY < <(compgen -W "$word" -- "$current")
  fi
  case $kind in
    file) mapfile -t COMPREPLY < <(compgen -f -- "$current") && compopt -o filenames 2>/dev/null ;;
    folder) mapfile -t COMPREPLY < <(compgen -d -- "$current") && compopt -o filenames 2>/dev/null ;;
    names*)
      word=$("$program" "${globals[@]}" names "${kind#names }" 2>/dev/null)
      mapfile -t COMPREPLY < <(compgen -W "$word" -- "$current")
      ;;
    words*) mapfile -t COMPREPLY < <(compgen -W "${kind#words }" -- "$current") ;;
  esac
}
complete -F _gpu_interlock gpu-interlock
)shell";
}

}  // namespace interlock::pages
