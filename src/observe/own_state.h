// What we ourselves have written: ledger, latches, the guard's report, journals. Each may be missing or
// damaged.
#pragma once

#include "host/host.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::observe {

/// No file: an empty ledger. Anything but a whole one: none, with the reason in ledger_error.
void read_ledger(Host& host, HostState& state);

/// Files named by PCI address. One that cannot be read is a latch all the same, and so is every card of the
/// policy when their folder cannot be listed.
void read_latches(Host& host, const Policy& policy, HostState& state);

/// Its lock says whether the daemon runs, its report what it last saw. Fresh: of this boot, and judged within
/// three polls and two seconds of `state.taken_at`.
void read_guard(Host& host, const Policy& policy, HostState& state);

/// The newest journal without an end. Its lock says whether somebody is at it.
void read_open_cutover(Host& host, HostState& state);

}  // namespace interlock::observe
