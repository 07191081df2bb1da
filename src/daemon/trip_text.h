// What the trip machines remember, as text below /run: a grace that runs goes on when the daemon is started
// anew. Latches have files of their own, which outlive the boot.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "decide/trip.h"
#include "model/identity.h"

namespace interlock::daemon {

struct KeptTrip {
  decide::TripMemory memory;
  std::vector<std::string>
      shed;  // what was taken down, to be started again with `until-cool`: "120/llamacpp.service"
};

struct KeptTrips {
  Instant saved_at{};
  std::map<PciAddress, KeptTrip> cards;
};

std::string trips_text(const KeptTrips& trips, std::string_view boot_id);
/// Of another boot: no cards. Damaged: an error.
Result<KeptTrips> parse_trips(std::string_view text, std::string_view boot_id);

}  // namespace interlock::daemon
