// Changing raw lines of a stopped container's configuration, as Proxmox itself would: under its lock, on the
// text that was looked at, written beside and renamed, read back (pct.md, sections 2 and 3; design, section
// 6).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/container.h"

namespace interlock::act {

struct ConfigEdit {
  std::vector<std::string> out;  // whole lines of the main section to take away
  std::vector<std::string> in;   // whole lines to add to it
};

/// `seen` is the container as it was looked at; another digest now, a `lock:`, or a container that runs is an
/// error and nothing is written. The lock is let go before this returns: who holds it must not call pct.
Result<void> edit_config(Host& host, const Container& seen, const ConfigEdit& edit);

/// The one harmless setting, as it stands, with which `pct set` makes Proxmox generate
/// /var/lib/lxc/<vmid>/config anew.
Result<Settings> harmless_setting(const Container& container);

}  // namespace interlock::act
