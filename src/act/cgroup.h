// Whether anything runs in a cgroup.
#pragma once

#include <string>

#include "base/result.h"
#include "host/host.h"

namespace interlock::act {

/// A process is in it or below it (kernel: Documentation/admin-guide/cgroup-v2.rst, cgroup.events). `path` as
/// in /proc/<pid>/cgroup. A cgroup that is not there holds nothing.
Result<bool> has_processes(Host& host, const std::string& path);

}  // namespace interlock::act
