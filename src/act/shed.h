// Taking the load off a card, rung by rung, until a look at the card shows no holder (design, section 4;
// 11.6, 11.7).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "decide/shedding.h"
#include "host/host.h"
#include "policy/policy.h"

namespace interlock::act {

using decide::Rung;
using decide::to_string;

struct ShedEvent {
  Rung rung = Rung::freeze;
  std::string subject;  // "120/llamacpp.service", "pid 4711", "120"
  std::string text;     // what was done, and what was seen
  bool empty = false;   // no holder is left
};

struct ShedReport {
  bool empty = false;
  std::vector<ShedEvent> events;
};

using ShedProgress = std::function<void(const ShedEvent&)>;

/// The first rung alone, on holders seen before: writes cgroup.freeze and returns. Looks nothing up.
void freeze_now(Host& host, const PciAddress& card, const std::vector<decide::ShedTarget>& targets);

/// The ladder, from a fresh look. Runs in a worker of its own; `still_hot` is asked before the last resort.
/// `from`: the rung to begin at, stop_container for a card that refills again and again (11.10).
ShedReport shed(Host& host, const Policy& policy, const PolicyCard& card, const ShedProgress& progress,
                const std::function<bool()>& still_hot, Rung from = Rung::freeze);

/// Thaws or kills every cgroup that an earlier run froze and recorded; after a crash.
Result<void> thaw_leftovers(Host& host);

}  // namespace interlock::act
