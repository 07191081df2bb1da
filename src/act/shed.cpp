#include "act/shed.h"

#include <algorithm>
#include <array>

#include "act/card_look.h"
#include "act/freeze.h"
#include "act/shed_rungs.h"

namespace interlock::act {
namespace {

constexpr std::array kRungs = {Rung::freeze,         Rung::stop_unit,      Rung::kill,
                               Rung::stop_container, Rung::kill_container, Rung::last_resort};

}  // namespace

void freeze_now(Host& host, const PciAddress& card, const std::vector<decide::ShedTarget>& targets) {
  for (const decide::ShedTarget& target : targets) {
    if (!target.whole) continue;
    // Whether it worked is for the ladder to see, which looks at the card and not at this.
    static_cast<void>(freeze(host, card, target.cgroup));
  }
}

ShedReport shed(Host& host, const Policy& policy, const PolicyCard& card, const ShedProgress& progress,
                const std::function<bool()>& still_hot, Rung from) {
  Ladder ladder(host, policy, card, progress, still_hot);
  ladder.look();
  for (const Rung rung : kRungs) {
    if (ladder.empty()) break;
    if (rung >= from) ladder.climb(rung);
  }
  return ladder.end();
}

}  // namespace interlock::act
