// One line of a mount table, as lxc takes it in lxc.mount.entry and lxc.mount.fstab (fstab(5);
// lxc.container.conf(5)).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace interlock::pve {

struct MountEntry {
  std::string source;  // escapes decoded
  std::string target;  // inside the container, with a leading '/'
  std::string type;    // "none", "devtmpfs", ...
  bool bind = false;   // bind or rbind; also where no options are given: better one too many than one too few
  bool optional = false;
  bool relative = false;  // the source is meant inside the container's own root
};

/// Nothing: an empty line, a comment, or fewer than two fields. More fields than four are not looked at.
std::optional<MountEntry> parse_mount_entry(std::string_view value);

}  // namespace interlock::pve
