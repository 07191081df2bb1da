// What the daemon has to tell people: each kind with its stable name and journal MESSAGE_ID (units/*.catalog
// explains them), each event with the fields that it has.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "base/units.h"
#include "model/identity.h"

namespace interlock::daemon {

enum class EventKind : std::uint8_t {
  started,
  stopping,
  warning,   // a card reached `warn`
  guarding,  // it is believed and cool (again)
  blind,
  absent,
  lent,
  tripped,
  shedding,  // one rung of the ladder
  shed,      // no holder is left
  not_shed,  // the ladder is at its end, and the card is held
  hot_without_holder,
  latched,  // its latch is on disk; or was, when the guard started
  latch_not_written,
  reset,
  resumed,  // until-cool: unlatched, and what was shed starts again
  reader_replaced,
  holders_not_seen,
  policy_broken,  // the kept copy is in use
  reloaded,
  reload_refused,
  trouble,  // anything else that a person should know
};

/// syslog(3)'s.
enum class Priority : std::uint8_t { critical = 2, error = 3, warning = 4, notice = 5, info = 6 };

struct EventTraits {
  std::string_view name;        // "card-tripped"
  std::string_view message_id;  // 32 hexadecimal digits, for ever the same
  Priority priority;
  bool notify;  // the policy's `notify:` commands are told
};
const EventTraits& traits(EventKind kind);

struct Event {
  EventKind kind = EventKind::trouble;
  std::string message;  // a sentence
  std::optional<CardId> card = {};
  std::optional<PciAddress> pci = {};
  std::string reason = {};  // "over-temperature", "blind"
  std::optional<Celsius> celsius = {};
  std::optional<Vmid> container = {};
  std::string unit = {};
  std::string rung = {};
  // Of a trip, when known: what the time from the sample to the first rung can be measured by.
  std::optional<Instant> sample_at = {};
  std::optional<Instant> judged_at = {};
  std::optional<Instant> first_rung_at = {};
};

/// One JSON object on one line, as `notify:` commands get it.
std::string event_json(const Event& event, std::string_view wall_clock);

}  // namespace interlock::daemon
