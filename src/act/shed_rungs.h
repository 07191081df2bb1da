// The ladder's rungs. Each acts on the holders last seen, and then looks at the card again within its own
// time (design, section 4).
#pragma once

#include <map>

#include "act/card_look.h"
#include "act/pct.h"
#include "act/shed.h"

namespace interlock::act {

class Ladder {
 public:
  Ladder(Host& host, const Policy& policy, const PolicyCard& card, const ShedProgress& progress,
         const std::function<bool()>& still_hot)
      : host_(host), policy_(policy), card_(card), pct_(host), progress_(progress), still_hot_(still_hot) {}

  void look() { seen_ = look_at_card(host_, policy_, card_.pci); }
  bool empty() const { return seen_.empty(); }
  void climb(Rung rung);
  /// Nothing stays frozen. Says whether the card is empty, and whom nothing could be done about.
  ShedReport end();

 private:
  void freeze_holders();
  void stop_units();
  void kill_holders();
  void stop_containers();
  void kill_containers();
  void last_resort();

  /// Asks one systemd to stop units, without waiting; thaws them when it has taken the job.
  void ask_to_stop(std::optional<Vmid> container, const std::vector<const decide::ShedTarget*>& units,
                   Instant end);
  void kill_target(const decide::ShedTarget& target);
  void kill_process(const decide::ShedTarget& target, const ProcessId& process);
  /// After the thaw: nobody left, or a reason to end the rung early.
  void watch_the_stop(Instant end);
  void thaw_target(const decide::ShedTarget& target);
  void say(Rung rung, std::string subject, std::string text);
  void see(Rung rung, Instant end);

  Host& host_;
  const Policy& policy_;
  const PolicyCard& card_;
  Pct pct_;
  const ShedProgress& progress_;
  const std::function<bool()>& still_hot_;
  CardLook seen_;
  ShedReport report_;
};

}  // namespace interlock::act
