// One command as a child process, its output captured, its end awaited no longer than its deadline.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <vector>

#include "host/host.h"
#include "host/root_folder.h"

namespace interlock {

/// Starts commands and reaps them. A child that outlives its SIGKILL (it sits in the kernel, in D state) is
/// left behind, and reaped by a later call. May be used by several threads.
class Children {
 public:
  Result<CommandEnd> run(const RootFolder& root, const Command& command);

 private:
  std::unexpected<Error> unwatched(pid_t pid, const std::string& name);
  void reap_left_behind();
  std::mutex mutex_;
  std::vector<pid_t> left_behind_;
};

}  // namespace interlock
