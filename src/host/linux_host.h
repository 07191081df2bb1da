// The machine that this program runs on, or a folder that stands for one (--root).
#pragma once

#include <memory>
#include <string>

#include "host/host.h"

namespace interlock {

/// `root` is "/" or a folder; links below it resolve inside it (openat2(2), RESOLVE_IN_ROOT).
Result<std::unique_ptr<Host>> make_linux_host(const std::string& root);

}  // namespace interlock
