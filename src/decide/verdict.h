// What to believe of a channel (design, section 4). Pure: samples and a time in, verdict out.
#pragma once

#include <optional>
#include <string>

#include "model/host_state.h"
#include "model/sample.h"
#include "model/verdict.h"
#include "policy/policy.h"

namespace interlock::decide {

/// What the judge of one card remembers between samples. A fresh one starts blind.
struct ChannelMemory {
  std::optional<Verdict> believed;            // last measured
  std::optional<Celsius> disbelieved;         // one jump, waiting for the next sample to confirm or refute it
  Instant disbelieved_at{};
  std::optional<std::string> frozen_text;     // value that has stood still, since when, at which energy count
  Instant frozen_since{};
  std::optional<std::uint64_t> frozen_energy;
  bool jump_confirmed = false;                // the newest verdict also vouches for the one disbelieved before it
};

struct CardMemory {
  std::array<ChannelMemory, 2> channels;
  ChannelMemory& channel(Channel which) { return channels[static_cast<std::size_t>(which)]; }
};

struct JudgeContext {
  const PolicyCard& card;
  const GuardPolicy& guard;
  bool in_use = false;       // a holder uses the card: it may not be parked
  Duration deadline{};       // a sample older than this is stale
};

/// `sample` is the newest; nothing: none came. Judges each required channel alone.
Verdicts judge(const JudgeContext& context, CardMemory& memory, const std::optional<CardSample>& sample, Instant now);

/// One sample by itself, without a history: for a command line without a daemon. A jump cannot be seen so.
Verdicts judge_alone(const PolicyCard& card, const GuardPolicy& guard, const Card& seen, Instant now);

}  // namespace interlock::decide
