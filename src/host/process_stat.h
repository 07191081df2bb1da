// /proc/<pid>/stat: the one file that tells a process from a later one with the same number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace interlock {

struct ProcessStat {
  std::string command;        // comm, at most 15 bytes; may hold blanks and parentheses
  char state = '?';           // 'R', 'S', 'D', 'Z' ...
  std::uint64_t started = 0;  // field 22: clock ticks since boot (proc(5))
};

/// Nothing: not a whole stat line.
std::optional<ProcessStat> parse_process_stat(std::string_view text);

}  // namespace interlock
