// One look at a card's sensors in a child process: a read of a card that hangs sits in the kernel, where
// nothing can interrupt it, and whoever reads it waits for ever (amdgpu.md, 1.7).
#pragma once

#include <string>

#include "base/time.h"
#include "host/host.h"
#include "model/identity.h"
#include "model/sample.h"

namespace interlock::cli {

/// Many times what a card takes that works.
inline constexpr Duration kSampleDeadline = std::chrono::seconds(1);

/// No answer within the deadline: every channel is ETIMEDOUT. The child is killed, and left to the kernel.
CardSample sample_apart(Host& host, const std::string& root, const PciAddress& pci);

/// Some channel of it was not read in time.
bool timed_out(const CardSample& sample);

}  // namespace interlock::cli
