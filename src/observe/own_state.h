// What we ourselves have written: ledger, latches, the guard's report, journals. Each may be missing or
// damaged.
#pragma once

#include <chrono>

#include "base/time.h"
#include "host/host.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::observe {

/// No file: an empty ledger. Anything but a whole one: none, with the reason in ledger_error.
void read_ledger(Host& host, HostState& state);

/// Files named by PCI address. One that cannot be read is a latch all the same, and so is every card of the
/// policy when their folder cannot be listed.
void read_latches(Host& host, const Policy& policy, HostState& state);

/// How old the guard's judgement of a card may be in its report. Whatever the poll, it judges each card at
/// least once a second and reports once a second, so a report that is read shows up to two; the rest is for a
/// host that is busy. Less than systemd's watchdog waits (units/gpu-interlockd.service), so that a guard that
/// hangs is seen before it is ended.
inline constexpr Duration kGuardPatience = std::chrono::milliseconds(2500);

/// Its lock says whether the daemon runs, its report what it last saw. Fresh: of this boot, and judged within
/// that time of `state.taken_at`.
void read_guard(Host& host, HostState& state);

/// The newest journal without an end. Its lock says whether somebody is at it.
void read_open_cutover(Host& host, HostState& state);

}  // namespace interlock::observe
