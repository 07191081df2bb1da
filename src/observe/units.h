// Asking a running container's systemd about units, by one `pct exec` (design, section 2; cases/units.md).
#pragma once

#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/unit.h"

namespace interlock::observe {

/// The units, in the order asked. Unit::started_by holds only what would really start it: a second question
/// tells whether those are themselves enabled or active (U04, U07). An answer that is not whole is an error,
/// never a "no".
Result<std::vector<Unit>> ask_units(Host& host, Vmid vmid, const std::vector<UnitName>& units,
                                    Duration deadline);

}  // namespace interlock::observe
