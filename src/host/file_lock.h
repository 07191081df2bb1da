// flock(2), which Proxmox takes too (pct.md, section 3); `Host` in host.h says what is promised.
#pragma once

#include <memory>
#include <string>

#include "host/host.h"
#include "host/root_folder.h"

namespace interlock::files {

/// The lock, or nothing where somebody else holds it.
Result<std::unique_ptr<HeldLock>> try_lock(const RootFolder& root, const std::string& path);
Result<bool> is_locked(const RootFolder& root, const std::string& path);

}  // namespace interlock::files
