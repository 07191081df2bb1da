#include "mocks/pct.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "mocks/config.h"
#include "mocks/pct_parts.h"

namespace interlock::mocks {
namespace verbs {

const std::string* Arguments::option(std::string_view name) const {
  const std::string* found = nullptr;
  for (const auto& [key, value] : options) {
    if (key == name) found = &value;
  }
  return found;
}

bool Arguments::flag(std::string_view name) const {
  const std::string* value = option(name);
  return value != nullptr && truthy(*value);
}

std::optional<std::string> parse_arguments(const std::vector<std::string>& words,
                                           const std::vector<Known>& known, Arguments& arguments) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (word == "--") {
      arguments.positional.insert(arguments.positional.end(),
                                  words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (!word.starts_with('-') || word.size() < 2) {
      arguments.positional.emplace_back(word);
      continue;
    }
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    const auto sign = word.find('=');
    const std::string_view name = word.substr(0, sign);
    std::vector<Known> matches;
    for (const Known& candidate : known) {
      if (candidate.name == name) {
        matches = {candidate};
        break;
      }
      if (candidate.name.starts_with(name)) matches.push_back(candidate);
    }
    if (matches.size() != 1) return std::string(name);
    std::string value = "1";
    const bool next_is_value = i + 1 < words.size() && !words[i + 1].starts_with("--");
    if (sign != std::string_view::npos) {
      value = word.substr(sign + 1);
    } else if (next_is_value &&
               (!matches[0].boolean || parse_number<int>(words[i + 1]) || words[i + 1].size() < 6)) {
      value = words[++i];
    } else if (!matches[0].boolean) {
      return std::string(name);
    }
    arguments.options.emplace_back(matches[0].name, std::move(value));
  }
  return std::nullopt;
}

CommandEnd done(std::string output, std::string errors) {
  CommandEnd end;
  end.output = std::move(output);
  end.errors = std::move(errors);
  return end;
}

CommandEnd failed(int code, std::string errors, std::string output) {
  CommandEnd end = done(std::move(output), std::move(errors));
  end.code = code;
  return end;
}

CommandEnd bad_value(std::string_view verb, std::string_view key, std::string_view why) {
  return failed(2, fmt::format("400 Parameter verification failed.\n{}: {}\npct {} <vmid> [OPTIONS]\n", key,
                               why, verb));
}

std::string lock_of(const Machine& machine, int vmid) {
  const std::string* text = machine.model.config(vmid);
  if (text == nullptr) return {};
  const auto config = parsed(*text);
  const auto found = config->main.keys.find("lock");
  return found == config->main.keys.end() ? std::string{} : found->second;
}

bool is_template(const Machine& machine, int vmid) {
  const std::string* text = machine.model.config(vmid);
  return text != nullptr && is_set(parsed(*text)->main, "template");
}

}  // namespace verbs

namespace {

constexpr std::array kVerbs = {"config", "exec",  "list",     "pending", "push", "reboot",
                               "set",    "start", "shutdown", "status",  "stop", "unlock"};

/// The verb that this word names or abbreviates.
std::optional<std::string> verb_of(const std::string& word) {
  std::vector<std::string> matches;
  for (const std::string_view verb : kVerbs) {
    if (verb == word) return word;
    if (!word.empty() && verb.starts_with(word)) matches.emplace_back(verb);
  }
  return matches.size() == 1 ? std::optional(matches.front()) : std::nullopt;
}

CommandEnd usage(const std::string& said) {
  return verbs::failed(
      255, fmt::format("ERROR: {}\nUSAGE: pct <COMMAND> [ARGS] [OPTIONS]\n       pct {} <vmid> [OPTIONS]\n",
                       said, fmt::join(kVerbs, " <vmid> [OPTIONS]\n       pct ")));
}

CommandEnd dispatch(Machine& machine, const std::string& verb, int vmid, const std::vector<std::string>& rest,
                    const std::string& input) {
  if (verb == "set") return verbs::set(machine, vmid, rest);
  if (verb == "unlock") return verbs::unlock(machine, vmid);
  if (verb == "status") return verbs::status(machine, vmid, rest);
  if (verb == "config") return verbs::config(machine, vmid, rest);
  if (verb == "pending") return verbs::pending(machine, vmid);
  if (verb == "start") return verbs::start(machine, vmid, rest);
  if (verb == "stop") return verbs::stop(machine, vmid, rest);
  if (verb == "shutdown") return verbs::shutdown(machine, vmid, rest);
  if (verb == "reboot") return verbs::reboot(machine, vmid, rest);
  if (verb == "push") return verbs::push(machine, vmid, rest);
  return verbs::execute(machine, vmid, rest, input);
}

}  // namespace

CommandEnd pct(Machine& machine, const std::vector<std::string>& words, const std::string& input) {
  machine.pass(machine.model.pace.pct);  // two hundred Perl modules
  if (words.empty()) return usage("no command specified");
  const auto verb = verb_of(words.front());
  if (!verb) return usage(fmt::format("unknown command 'pct {}'", words.front()));
  if (!machine.model.pve_mounted) {
    return verbs::failed(
        111,
        "ipcc_send_rec[1] failed: Connection refused\nipcc_send_rec[2] failed: Connection refused\n"
        "ipcc_send_rec[3] failed: Connection refused\n"
        "Unable to load access control list: Connection refused\n");
  }
  if (*verb == "list") return verbs::list(machine);
  if (words.size() < 2)
    return verbs::failed(2, fmt::format("400 not enough arguments\npct {} <vmid> [OPTIONS]\n", *verb));
  const auto vmid = parse_number<int>(words[1]);
  if (!vmid) {
    return verbs::bad_value(*verb, "vmid", fmt::format("type check ('integer') failed - got '{}'", words[1]));
  }
  if (machine.model.config(*vmid) == nullptr) {
    return verbs::failed(2, fmt::format("Configuration file 'nodes/{}/lxc/{}.conf' does not exist\n",
                                        machine.model.node, *vmid));
  }
  return dispatch(machine, *verb, *vmid, {words.begin() + 2, words.end()}, input);
}

bool pct_only_looks(const std::vector<std::string>& words) {
  if (words.empty()) return true;
  const auto verb = verb_of(words.front());
  if (!verb) return true;
  if (*verb == "status" || *verb == "list" || *verb == "config" || *verb == "pending") return true;
  if (*verb != "exec") return false;
  auto command = std::ranges::find(words, "--");
  if (command == words.end() || ++command == words.end()) return true;
  if (*command == "systemctl") return systemctl_only_looks({command + 1, words.end()});
  return *command == "test" || *command == "cat" || *command == "curl" || *command == "true";
}

}  // namespace interlock::mocks
