// `pct` as a function of the machine: its texts, its exit codes and its quirks (pct.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/host.h"
#include "mocks/machine.h"

namespace interlock::mocks {

/// `words` without the program's name: {"set", "120", "--cores", "48"}. May wait; CommandTimedOut passes
/// through.
CommandEnd pct(Machine& machine, const std::vector<std::string>& words, const std::string& input = {});

/// It only looks: status, list, config, pending, and exec of something that asks.
bool pct_only_looks(const std::vector<std::string>& words);

/// systemctl of a container, or of the host (vmid 0).
CommandEnd systemctl(Machine& machine, int vmid, const std::vector<std::string>& words);
bool systemctl_only_looks(const std::vector<std::string>& words);

}  // namespace interlock::mocks
