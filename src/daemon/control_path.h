// Where the control socket is. A socket's address holds 107 bytes of path and no more, and a root folder may
// be longer: its folder is opened, and the address goes through /proc/self/fd.
#pragma once

#include <sys/un.h>

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace interlock::daemon {

/// The control socket's address, valid while `folder` is open.
struct ControlAddress {
  Fd folder;
  sockaddr_un address{};
};

/// Below `root` as for make_linux_host(). Code ENOENT: no such folder, so no daemon.
Result<ControlAddress> control_address(const std::string& root);

/// Listening and non-blocking, for us alone (0600). A socket of an earlier run is taken away: hold the
/// guard's lock.
Result<Fd> listen_for_control(const std::string& root);

/// Connected. Code ENOENT or ECONNREFUSED: no daemon is there.
Result<Fd> connect_to_control(const std::string& root);

}  // namespace interlock::daemon
