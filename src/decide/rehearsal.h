// What a trip of a card would lead to, as a drill tells it: the judge and the trip machine of the guard on
// readings that are made up, and the ladder's rungs without a climb. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "decide/shedding.h"
#include "model/host_state.h"
#include "model/verdict.h"
#include "policy/policy.h"

namespace interlock::decide {

/// What happens to one channel while everything else reads on as it does now.
enum class Mishap : std::uint8_t { hot, unreadable };
std::string_view to_string(Mishap mishap);  // "hot", "unreadable"

struct RehearsedTrip {
  Channel channel = Channel::junction;
  Mishap mishap = Mishap::hot;
  std::optional<Duration> after;  // from the mishap to the trip; nothing: none came within kRehearsal
  std::string why;                // the guard's own reason
};

/// A mishap that leads to no trip within this time leads to none.
inline constexpr Duration kRehearsal = std::chrono::seconds(120);

/// Each mishap of each required channel. `sample`: the card as it reads now; a process has it open.
std::vector<RehearsedTrip> rehearse_trips(const PolicyCard& card, const GuardPolicy& guard,
                                          const CardSample& sample);

struct RehearsedRung {
  Rung rung = Rung::freeze;
  std::string subject;
  std::string text;  // what would be done to it
  Duration within;   // before the next rung
};

/// In their order. `containers`: where the targets' processes are.
std::vector<RehearsedRung> rehearse_ladder(const GuardPolicy& guard, const std::vector<ShedTarget>& targets,
                                           const std::set<Vmid>& containers);

}  // namespace interlock::decide
