#include "daemon/control_client.h"

#include <cerrno>

#include "daemon/bus.h"
#include "daemon/control_path.h"

namespace interlock::daemon {
namespace {

Result<BusClient> connected(const std::string& root) {
  Fd socket = TRY(connect_to_control(root));
  return BusClient::over(std::move(socket));
}

}  // namespace

Result<std::string> control_status(const std::string& root) {
  auto client = TRY(connected(root));
  return client.status();
}

Result<void> control_reset(const std::string& root, const std::string& card, bool force,
                           const std::string& reason) {
  auto client = TRY(connected(root));
  return client.reset(card, force, reason);
}

Result<void> control_reload(const std::string& root) {
  auto client = TRY(connected(root));
  return client.reload();
}

bool no_daemon(const Error& error) {
  return is_missing(error) || error.code == ECONNREFUSED;
}

}  // namespace interlock::daemon
