// Frozen cgroups and the record of each, so that nothing stays frozen for ever, and nobody else's freeze is
// lifted (design, 11.7). Records stand below /run: a boot ends freezes and records alike.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/identity.h"

namespace interlock::act {

/// Records it, then freezes it. A record that cannot be written does not keep a hot card's load running.
Result<void> freeze(Host& host, const PciAddress& card, const std::string& cgroup);

/// Thaws it where the record of its freeze says that it is ours, and forgets the record. No record, or no
/// such cgroup any more: nothing to do, and no error.
Result<void> thaw(Host& host, const std::string& cgroup);
/// The same for all that was frozen for that card.
Result<void> thaw_all(Host& host, const PciAddress& card);

/// The kernel says that all of its processes stand still.
Result<bool> is_frozen(Host& host, const std::string& cgroup);

}  // namespace interlock::act
