// The trip machine of one card (design, section 4), pure:
// (memory, judgement, holders, now) -> memory and what to do.
//
//   guarding -> warning        one believed sample at or above `warn`
//   warning -> guarding        every channel believed and below `resume`: no flapping around `warn`
//   any -> tripped             `confirm` believed samples in a row at or above `trip`;
//                              or blind beyond the grace while a process has the card open
//   tripped <-> latched        a process that can be shed has the card open, or none has; latched either way
//   latched -> guarding        unlatch() after a person's reset; with `until-cool` by itself
//   blind, absent, lent        what a card is that has not tripped and cannot be judged
//
// "In a row" means among the believed samples: what is not believed neither confirms heat nor takes it back.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "decide/verdict.h"
#include "model/verdict.h"
#include "policy/policy.h"

namespace interlock::decide {

/// All that the machine remembers of one channel.
struct ChannelTrip {
  int hot_in_a_row = 0;
  /// The last temperature believed; nothing before the first, and after parking.
  std::optional<Celsius> last_good;
  /// When the channel was last believed or parked.
  std::optional<Instant> trusted_at;
  bool parked = false;
};

/// All that the machine remembers of a card. A card latched before a restart begins with `latched`, `reason`
/// and `why`.
struct TripMemory {
  GuardState state = GuardState::blind;
  std::array<ChannelTrip, 2> channels;  // by Channel
  std::optional<Instant> held_since;    // nothing: nobody has it open
  bool warm = false;                    // from `warn` until below `resume`
  bool latched = false;
  std::optional<TripReason> reason;  // of the latch
  std::string why;                   // "junction 103.0 C, at or above 102.0 C, 2 times in a row"
};

struct TripInput {
  Judgement judgement;
  Use use;
};

struct TripOutput {
  bool trip = false;           // now, for the first time: shed and latch
  bool shed = false;           // latched, and a process that can be shed has the card open: also newcomers
  bool cool = false;           // `warn` was reached: run the `cool:` commands
  bool resume = false;         // until-cool: unlatched by itself, start again what was shed
  bool poll_fast = false;      // poll_warm, not poll
  std::optional<Instant> due;  // blind: call step() again by then, even if no sample came
};

/// Longest time without belief for a channel last seen at `last_good` (11.5 gives the lower bound).
Duration blind_grace(const GuardPolicy& guard, Channel channel, std::optional<Celsius> last_good);

/// Call it after each judge(), when holders come and go, and at `due`.
TripOutput step(const GuardPolicy& guard, TripMemory& memory, const TripInput& input, Instant now);

/// What forbids a reset now, as a sentence: blind, or not below `resume`. Nothing: it may be reset.
std::optional<std::string> reset_refusal(const GuardPolicy& guard, const Verdicts& verdicts);

/// After a reset: the latch is gone, and so is the heat counted before it.
void unlatch(TripMemory& memory);

}  // namespace interlock::decide
