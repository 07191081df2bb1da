// The files below /run by which others see the guard, and by which its next start goes on: guard.json for
// everybody, trips for itself.
#pragma once

#include <string>

#include "daemon/trip_text.h"
#include "host/host.h"
#include "model/host_state.h"

namespace interlock::daemon {

class GuardFiles {
 public:
  /// `boot_id` may be empty where the host gives none.
  GuardFiles(Host& host, std::string boot_id) : host_(host), boot_id_(std::move(boot_id)) {}

  Result<void> write_report(const GuardReport& report);
  Result<void> write_trips(const KeptTrips& trips);
  /// What the run before this one remembered. Nothing: no such run in this boot, or too long ago to go on
  /// from.
  Result<KeptTrips> read_trips(Instant now);
  Result<void> write_metrics(const std::string& text);

 private:
  Host& host_;
  std::string boot_id_;
};

}  // namespace interlock::daemon
