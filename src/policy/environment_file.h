// A file of KEY=VALUE lines, as systemd's EnvironmentFile= (systemd.exec(5)) and a shell's `.` would both
// take it. Nothing in it is executed or expanded. Where the two would take a line differently, that is a
// remark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/remark.h"

namespace interlock {

struct Assignment {
  std::string key;
  std::string value;  // without its quotes
  int line = 0;       // from 1
  bool operator==(const Assignment&) const = default;
};

struct EnvironmentFile {
  std::vector<Assignment> assignments;  // each key once, its last value, in the order of those lines
  std::vector<Remark> remarks;          // in the order of the lines
};

EnvironmentFile parse_environment_file(std::string_view text);

}  // namespace interlock
