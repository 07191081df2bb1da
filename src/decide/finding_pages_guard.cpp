#include <array>

#include "decide/finding_pages.h"

namespace interlock::decide {

std::span<const FindingCode> guard_pages() {
  static constexpr std::array<FindingCode, 6> kPages{{
      {"sensor-blind", Severity::violation, "a required temperature of a card cannot be believed",
       R"(What cannot be read, or cannot be believed, counts as too hot: the guard takes the load off a card that it cannot see.
The message names the channel and what was read. On a card that some process has open it is a violation; on one that
nobody uses a warning, since the first process to open it starts the time after which the guard trips.

`gpu-interlock sensors` shows each channel as it is read. A sensor that returns errors after a suspend or a reset of the
card usually needs the card's driver to be loaded anew, or the host to be booted.)"},
      {"sensor-disagrees", Severity::warning, "two ways of reading a card's temperature differ",
       R"(The guard reads the driver's own files. As a second opinion the audit asks libsensors, which finds its way to the same
sensor independently. They differ by more than 10 C, which is more than a temperature changes between the two readings.

One of them reads another card or another sensor. `gpu-interlock sensors` shows both. Compare with the card that you know
to be under load, and with the PCI address behind /sys/class/hwmon/hwmonN/device.)"},
      {"limits-too-close-to-emergency", Severity::warning,
       "the card would reach its emergency limit before the load is off",
       R"(At its emergency temperature the driver resets the card or powers the whole host off. Between the policy's `trip` and
that point there must be room for the samples that confirm a trip: `confirm` samples, `poll_warm` apart, at `slew`
degrees a second.

Lower `trip` for this channel, or `poll_warm`, or `confirm`.)"},
      {"guard-not-running", Severity::violation, "no guard watches the cards",
       R"(gpu-interlockd does not run, so nobody takes the load off a card that gets too hot. While a card is loaded this is a
violation; on idle cards a warning.

Start it: systemctl start gpu-interlockd. If it does not stay up, `journalctl -u gpu-interlockd` says why: a mistake in
the policy, no card of the policy in the machine, or another copy that runs already.)"},
      {"guard-stale", Severity::violation, "the guard runs, and has not judged every card in time",
       R"(The guard judges every card at least once a second, and writes down once a second when it did. That is more than 2.5 s
ago: it hangs, or is starved. A card whose reader hangs counts as unreadable and is judged all the same, so a stale guard
is worse than one slow card.

`journalctl -u gpu-interlockd` shows what it waits for. systemd's watchdog restarts it by itself when it has not answered
for 3 s; if it does not, restart it: systemctl restart gpu-interlockd.)"},
      {"card-latched", Severity::warning, "a card is kept empty after a trip until somebody has looked",
       R"(The guard took the load off this card, and the reason is in the message: it was too hot, or could not be read. Since
then whatever opens the card is taken off it again at once. From outside that looks like a server that crashes at its
start.

Find the cause first: a fan, a filter, a blocked duct, a sensor. Then `gpu-interlock reset CARD`, which refuses while the
card is still hot or cannot be read. The units that were stopped are not started again by themselves, unless the policy
says `latch: until-cool`.)"},
  }};
  return kPages;
}

}  // namespace interlock::decide
