// A first policy for a host that has none: `policy init`. Pure.
#pragma once

#include <vector>

#include "decide/sketch_limits.h"
#include "model/found_card.h"
#include "model/host_state.h"
#include "policy/remark.h"
#include "policy/sketch.h"

namespace interlock::decide {

struct Sketched {
  Sketch sketch;
  std::vector<Remark> remarks;
};

/// Cards that the guard can watch, named: those with a junction or memory temperature, and those whose
/// temperatures could not be told now.
std::vector<NamedCard> guardable(const std::vector<FoundCard>& found);

/// For the policy's `cards:`, with the unique_id where the driver gives a whole one.
PolicyCard policy_card(const NamedCard& card);

/// Why a card's place in `cards:` says what it says, for a comment.
std::string card_note(const NamedCard& card);

/// Cards of the machine that a policy of `named` leaves out, and why, for comments and remarks.
std::vector<std::string> left_out(const FoundCards& found, const std::vector<NamedCard>& named);

/// `state`: looked at with a policy of the guardable cards.
Sketched sketch_host(const FoundCards& found, const HostState& state);

}  // namespace interlock::decide
