// What `pct` and `systemctl show` print, and /proc/net/unix. An answer that is not whole is an error, never a
// "no".
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/container.h"
#include "model/unit.h"

namespace interlock::pve {

/// Blocks of `systemctl show --property=Id,LoadState,ActiveState,SubState,UnitFileState,NRestarts,...`, in
/// the order asked. A unit that has no block, or a block without ActiveState and UnitFileState, is an error.
Result<std::vector<Unit>> parse_units(std::string_view output, const std::vector<UnitName>& asked);

/// Containers whose command socket `@/var/lib/lxc/<vmid>/command` is listed. Not a whole table: an error.
Result<std::set<Vmid>> parse_running(std::string_view proc_net_unix);

}  // namespace interlock::pve
