// Asking a running gpu-interlockd, from the command line.
#pragma once

#include <string>

#include "base/result.h"

namespace interlock::daemon {

// `root` as for make_linux_host(). Each waits for the answer at most 10 s. Errors by code: ENOENT or
// ECONNREFUSED, no daemon is there (no_daemon() below); EPERM, the daemon refuses, and the message is its
// whole sentence; EACCES, the socket may not be opened, and it cannot be told whether one is there.

/// The daemon's own view as JSON: see status_json.h.
Result<std::string> control_status(const std::string& root);

/// `card`: its name in the policy, or its PCI address. `force` needs a reason.
Result<void> control_reset(const std::string& root, const std::string& card, bool force,
                           const std::string& reason);

/// A new policy is taken whole or not at all.
Result<void> control_reload(const std::string& root);

/// No daemon listens: the caller may do without one.
bool no_daemon(const Error& error);

}  // namespace interlock::daemon
