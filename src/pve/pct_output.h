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

/// What parse_units() reads; for `systemctl show --property=`.
inline constexpr std::string_view kUnitProperties =
    "Id,LoadState,ActiveState,SubState,UnitFileState,NRestarts,TriggeredBy,WantedBy,RequiredBy,BoundBy,"
    "UpheldBy";

/// Blocks of `systemctl show`, in the order asked: an alias answers with its real name as Id, and keeps the
/// asked one in Unit::name. A unit that has no block, or a block without LoadState, ActiveState and
/// UnitFileState, is an error; so is any line that is no property.
///
/// Unit::started_by gets every unit that the answer names as one that would start it. Whether those are
/// themselves enabled or active only a second question can tell (U04, U07). The targets that `enable` linked
/// it into are not among them, as UnitFileState says that; and nothing starts a masked unit.
Result<std::vector<Unit>> parse_units(std::string_view output, const std::vector<UnitName>& asked);

/// Containers whose command socket `@/var/lib/lxc/<vmid>/command` is listed. Not a whole table: an error.
Result<std::set<Vmid>> parse_running(std::string_view proc_net_unix);

}  // namespace interlock::pve
