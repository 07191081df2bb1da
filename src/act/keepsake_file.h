// What a cutover took away from a container, kept beside the ledger until a later one puts it back (design,
// section 3).
#pragma once

#include "base/result.h"
#include "host/host.h"
#include "model/container.h"

namespace interlock::act {

/// An absent file is an empty keepsake; one that cannot be understood is an error.
Result<Keepsake> read_keepsake(Host& host, Vmid vmid);
/// Synced when it returns, and read back. An empty keepsake takes the file away.
Result<void> write_keepsake(Host& host, Vmid vmid, const Keepsake& keepsake);

}  // namespace interlock::act
