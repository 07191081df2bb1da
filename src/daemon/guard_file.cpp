#include "daemon/guard_file.h"

#include "host/paths.h"
#include "model/state_text.h"

namespace interlock::daemon {
namespace {

constexpr mode_t kForAll = 0644;
constexpr mode_t kForUs = 0600;

/// A restart takes well below a second. After a longer pause nobody knows what the card did meanwhile: it
/// starts blind, with its whole grace.
constexpr Duration kGoesOn = std::chrono::seconds(10);

}  // namespace

Result<void> GuardFiles::write_report(const GuardReport& report) {
  return host_.replace_file(paths::kGuardReport, guard_text(report, boot_id_), kForAll, Durability::plain);
}

Result<void> GuardFiles::write_trips(const KeptTrips& trips) {
  return host_.replace_file(paths::kTrips, trips_text(trips, boot_id_), kForUs, Durability::plain);
}

Result<KeptTrips> GuardFiles::read_trips(Instant now) {
  const auto text = host_.read_file(paths::kTrips);
  if (!text && is_missing(text.error())) return KeptTrips{};
  if (!text) return std::unexpected(text.error());
  KeptTrips trips = TRY(in_context(parse_trips(*text, boot_id_), paths::kTrips));
  if (now < trips.saved_at || now - trips.saved_at > kGoesOn) return KeptTrips{};
  return trips;
}

Result<void> GuardFiles::write_metrics(const std::string& text) {
  return host_.replace_file(paths::kMetrics, text, kForAll, Durability::plain);
}

}  // namespace interlock::daemon
