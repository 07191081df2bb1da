// The trip machine of one card (design, section 4): (state, verdicts, holders, now) -> state and what to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/verdict.h"
#include "policy/policy.h"

namespace interlock::decide {

/// All that the machine remembers; plain data, so that it can be kept across a restart.
struct TripMemory {
  GuardState state = GuardState::blind;
  std::array<int, 2> hot_in_a_row{};                       // by Channel
  std::array<std::optional<Instant>, 2> blind_since;       // by Channel: the first instant without belief, with a holder
  std::array<std::optional<Celsius>, 2> last_good;         // by Channel
  std::optional<TripReason> reason;
  std::string why;                                         // "junction 103.0 C, at or above 102.0 C twice in a row"
  bool latched = false;
};

struct TripInput {
  Verdicts verdicts;
  std::array<bool, 2> fresh{};         // by Channel: this verdict is of a sample not yet counted
  std::array<bool, 2> vouched{};       // by Channel: it also confirms the jump disbelieved before it
  bool has_holder = false;             // any process has the card open, or may have
  bool present = true;                 // false: absent
  bool lent = false;                   // another PCI driver has it
};

struct TripOutput {
  bool trip = false;                   // now, for the first time: shed and latch
  bool shed = false;                   // the card must be empty and is not: also for newcomers while latched
  bool cool = false;                   // entered warning: run the `cool:` commands
  bool resume = false;                 // until-cool: unlatched by itself, start again what was shed
  bool poll_fast = false;
};

/// Longest time without belief that a channel last seen at `last_good` may have (11.5 gives the lower bound).
Duration blind_grace(const GuardPolicy& guard, Channel channel, std::optional<Celsius> last_good);

TripOutput step(const PolicyCard& card, const GuardPolicy& guard, TripMemory& memory, const TripInput& input, Instant now);

/// What forbids a reset now, as a sentence: hot, or blind. Nothing: it may be reset.
std::optional<std::string> reset_refusal(const GuardPolicy& guard, const Verdicts& verdicts);

}  // namespace interlock::decide
