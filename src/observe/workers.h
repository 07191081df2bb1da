// Proxmox's tasks at work on containers: a controller that crashed may have left one behind (pct.md, 1.0).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.h"
#include "model/identity.h"

namespace interlock::observe {

/// "task UPID:pve:0001E240:00A1B2C3:66F0A1B2:vzstart:120:root@pam:" as a process's command line.
struct WorkerTitle {
  std::string upid;
  std::string type;           // "vzstart"
  std::optional<Vmid> guest;  // nothing: of no single guest
};
std::optional<WorkerTitle> parse_worker_title(std::string_view command_line);

/// UPIDs of those at work on one of `guests`, or starting all that have onboot.
std::vector<std::string> workers_on(Host& host, const std::set<Vmid>& guests,
                                    std::vector<std::string>& cannot_tell);

}  // namespace interlock::observe
