// What was read of a host, to a folder that stands for it and names nobody.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/neutral.h"
#include "cli/taken.h"

namespace interlock::cli {

struct SnapshotLimits {
  std::size_t file = std::size_t{1} << 20U;
  std::size_t whole = std::size_t{16} << 20U;
};

struct Snapshot {
  Taken taken;
  std::vector<std::string> left_out;  // what did not find room, or could not be read: a sentence each
};

/// Processes that have nothing to do with cards are left out, and other programs' sockets and open files.
/// `kept`: those that do.
Snapshot neutral_snapshot(const Taken& taken, const std::set<Pid>& kept, Neutral& neutral,
                          const SnapshotLimits& limits);

/// `folder` is the caller's, and must not be there yet (EEXIST).
Result<void> write_snapshot(const Snapshot& snapshot, const std::string& folder);

}  // namespace interlock::cli
