// /etc/pve/ha/resources.cfg: which containers high availability manages, and the state that it wants
// (pve-ha-manager, Resources.pm; pct.md, 1.12 and 5.4).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/identity.h"

namespace interlock::pve {

/// State by container: "started" where none is given (that is HA's default) and for the old "enabled". A
/// container in state `ignored` is not managed, and not among them.
Result<std::map<Vmid, std::string>> parse_ha_resources(std::string_view text);

}  // namespace interlock::pve
