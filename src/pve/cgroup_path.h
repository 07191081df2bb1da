// /proc/<pid>/cgroup to the container and unit that a process belongs to (pct.md, section 4, has every form).
#pragma once

#include <string_view>

#include "model/holder.h"

namespace interlock::pve {

/// `text` is the whole file. A path told from inside a namespace, or no line to trust: Place::known is false.
Place place_of(std::string_view text);

/// The same of a cgroup's path below its hierarchy's root: "/lxc/120/ns/system.slice/llamacpp.service".
Place place_of_path(std::string_view path);

}  // namespace interlock::pve
