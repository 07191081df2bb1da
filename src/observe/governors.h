// How the host's CPUs are clocked (kernel: Documentation/admin-guide/pm/cpufreq.rst).
#pragma once

#include <vector>

#include "host/host.h"
#include "model/host_state.h"

namespace interlock::observe {

/// Each pair of driver and governor once, with how many CPUs have it; none where the kernel does not clock
/// them.
std::vector<CpuGovernor> read_governors(Host& host);

}  // namespace interlock::observe
