// What the mocked host's programs do, without their command line: DIR/usr/sbin/pct, DIR/usr/bin/systemctl and
// the tool that makes and pokes a host.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "mocks/folder.h"

namespace interlock::mocks {

/// Acts as pct or systemctl of the host in `root`, faults included; the exit status.
int run_program(const std::string& root, const std::string& program, const std::vector<std::string>& words);

struct MakeOptions {
  std::string settle;      // replaces the policy's `settle:`; empty: as it is
  bool real_pace = false;  // containers and models take as long as they do; else a blink
  std::string programs;    // the folder of gpu-interlock's programs and of mock-host
};
Result<void> make_host(const std::string& root, const MakeOptions& options);

/// "card gpu1 junction 104", "unit 120/llamacpp.service stop ignores-term", ...: see set_help().
Result<void> set_thing(Folder& folder, const std::vector<std::string>& words);
std::string set_help();

int calls_made(const Model& model);

/// The last hundred pct calls in order with their results, how many there were, and each broken invariant.
std::string log_text(const Model& model);

/// Reacts at once to what is written into cgroup.kill and cgroup.freeze, and lets happen what is due.
Result<void> serve(const std::string& root, Duration time);

}  // namespace interlock::mocks
