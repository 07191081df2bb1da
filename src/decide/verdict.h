// What to believe of a channel (design, section 4). Pure: samples and a time in, verdicts out.
//
// The judge of one card is `judge()` and the `CardMemory` that its caller keeps. Call it with each sample,
// and without one whenever a sample is late: what was believed grows stale by itself.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "decide/use.h"
#include "model/host_state.h"
#include "model/sample.h"
#include "model/verdict.h"
#include "policy/policy.h"

namespace interlock::decide {

struct Belief {
  Celsius celsius;
  Instant taken_at;
};

/// What is remembered of one channel between samples. A fresh one starts blind.
struct ChannelMemory {
  Verdict newest{VerdictKind::unreadable, std::nullopt, {}, "no sample came yet"};  // whatever its age
  bool outlived = false;           // `newest` was believed once, and has grown too old for good
  std::optional<Belief> believed;  // the last that was measured
  std::optional<Celsius> jump;     // disbelieved in the newest sample: the next one confirms or refutes it
  std::optional<Celsius> still;    // the value that has stood still ...
  Instant still_since;             // ... since then ...
  std::optional<std::uint64_t> still_energy;  // ... at this energy count
};

struct CardMemory {
  std::optional<Instant> sampled_at;
  bool absent = false;
  bool lent = false;
  std::array<ChannelMemory, 2> channels;  // by Channel
};

struct JudgeContext {
  const PolicyCard& card;
  const GuardPolicy& guard;
  Use use;
  Duration deadline;  // a sample as old as this is stale: sample_deadline()
};

/// What one call of the judge found, as the trip machine takes it.
struct Judgement {
  Verdicts verdicts;
  std::array<bool, 2> fresh{};                    // by Channel: the verdict is of a sample not judged before
  std::array<std::optional<Celsius>, 2> vouched;  // by Channel: the jump before it, which it confirms
  bool absent = false;                            // the newest sample found no card
  bool lent = false;                              // or another driver than amdgpu on it
};

/// How old a sample may grow where the next one is due `poll` after it.
Duration sample_deadline(Duration poll);

/// `sample`: the newest; nothing: none came since the last call. One given before, or older, or from the
/// future counts as none. Judges each required channel alone.
Judgement judge(const JudgeContext& context, CardMemory& memory, const std::optional<CardSample>& sample,
                Instant now);

/// One sample by itself, without a history: for a command line without a daemon. A jump cannot be seen so,
/// nor a channel that stands still.
Verdicts judge_alone(const PolicyCard& card, const GuardPolicy& guard, const Card& seen, Instant now);

}  // namespace interlock::decide
