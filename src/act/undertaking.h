// What every command that may change the host begins with: the cutover lock, a `pct` to ask, and a look.
#pragma once

#include <memory>

#include "act/cutover.h"
#include "host/host.h"
#include "model/host_state.h"

namespace interlock::act {

/// The lock, or a report that says why not: busy, or an error.
std::expected<std::unique_ptr<HeldLock>, CutoverReport> take_cutover_lock(Host& host);

/// Nothing: there is a `pct`. Without one nothing is touched, not even our own files.
std::optional<std::string> no_pct(Host& host);

/// The whole host, as the one who holds the cutover lock sees it: nobody else is at an open cutover.
Result<HostState> look_as_holder(Host& host, const Policy& policy);

CutoverReport error_report(std::string why);

/// The cards that a target touches: those it names, and those that its containers have now.
std::set<PciAddress> cards_of(const HostState& state, const Policy& policy, const Target& target);

}  // namespace interlock::act
