// Real processes with real open files, so that the kernel's own /proc is measured too: a folder that stands
// for a host costs other calls.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"

namespace interlock::bench {

class Crowd {
 public:
  /// Children that wait to be ended, and end with us; each has `descriptors` open. Fewer where the system
  /// allows no more.
  Crowd(int processes, int descriptors);
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd();

  int size() const { return static_cast<int>(children_.size()); }
  /// Moves the first `count` into this cgroup, which is made, and removed with this object.
  bool move_into(const std::string& cgroup, int count);

 private:
  std::vector<Fd> open_;  // the children's copies are what counts
  std::vector<pid_t> children_;
  std::string cgroup_;
};

}  // namespace interlock::bench
