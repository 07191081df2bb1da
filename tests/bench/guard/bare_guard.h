// The least that a guard of the design's shape can cost: two processes that keep four files open each and
// read them when they are asked, and one that asks both every 500 ms. Nothing is judged, written or looked
// for.
#pragma once

#include <string>
#include <vector>

#include "blackbox/blackbox.h"

namespace interlock::tests {

class BareGuard {
 public:
  /// `files`: four paths for each reader.
  explicit BareGuard(const std::vector<std::vector<std::string>>& files);
  BareGuard(const BareGuard&) = delete;
  BareGuard& operator=(const BareGuard&) = delete;
  ~BareGuard();
  const std::vector<pid_t>& processes() const { return processes_; }

 private:
  std::vector<pid_t> processes_;
};

}  // namespace interlock::tests
