// Work whose reads may hang in the kernel, done where that holds nobody up (amdgpu.md, 1.7).
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "base/time.h"

namespace interlock {

/// Host::apart() in a child process, which of all descriptors has `keep` alone (-1: none): above all no lock.
/// A child that is late is killed, and left to the kernel.
Result<std::string> run_apart(const std::function<std::string()>& work, Duration deadline, int keep);

}  // namespace interlock
