// The verbs of the mocked pct, and what they share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mocks/pct.h"

namespace interlock::mocks::verbs {

struct Arguments {
  std::vector<std::string> positional;
  std::vector<std::pair<std::string, std::string>> options;  // name without dashes, value
  const std::string* option(std::string_view name) const;
  bool flag(std::string_view name) const;
};

/// An option that a verb knows.
struct Known {
  std::string_view name;
  bool boolean = false;
};

/// Options and the rest, as Getopt::Long takes them: permuted, abbreviated, "--x v" and "--x=v". An error:
/// the option that is not known.
std::optional<std::string> parse_arguments(const std::vector<std::string>& words,
                                           const std::vector<Known>& known, Arguments& arguments);
std::optional<std::string> unknown_option(std::string_view verb, const std::string& option);

CommandEnd done(std::string output = {}, std::string errors = {});
CommandEnd failed(int code, std::string errors, std::string output = {});
CommandEnd bad_value(std::string_view verb, std::string_view key, std::string_view why);

/// The text of a container's `lock:`; empty: none.
std::string lock_of(const Machine& machine, int vmid);
bool is_template(const Machine& machine, int vmid);

CommandEnd set(Machine& machine, int vmid, const std::vector<std::string>& words);
CommandEnd unlock(Machine& machine, int vmid);
CommandEnd status(Machine& machine, int vmid, const std::vector<std::string>& words);
CommandEnd list(Machine& machine);
CommandEnd config(Machine& machine, int vmid, const std::vector<std::string>& words);
CommandEnd pending(Machine& machine, int vmid);
CommandEnd start(Machine& machine, int vmid, const std::vector<std::string>& words);
CommandEnd stop(Machine& machine, int vmid, const std::vector<std::string>& words);
CommandEnd shutdown(Machine& machine, int vmid, const std::vector<std::string>& words);
CommandEnd reboot(Machine& machine, int vmid, const std::vector<std::string>& words);
CommandEnd execute(Machine& machine, int vmid, const std::vector<std::string>& words,
                   const std::string& input);
CommandEnd push(Machine& machine, int vmid, const std::vector<std::string>& words);

/// Inside a running container.
CommandEnd guest_command(Machine& machine, int vmid, const std::vector<std::string>& argv,
                         const std::string& input);

}  // namespace interlock::mocks::verbs
