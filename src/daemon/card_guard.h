// One card as the guard sees it: what it believes, what it decided, and when it must look or judge again.
// Pure.
#pragma once

#include <optional>
#include <string>

#include "decide/trip.h"
#include "decide/verdict.h"

namespace interlock::daemon {

/// While a driver that is not ours has the card, it is only looked at whether that is still so.
inline constexpr Duration kLentPoll = std::chrono::seconds(5);
/// A card that nobody uses and that may sleep is not kept awake (design, 11.10).
inline constexpr Duration kSleepyPoll = std::chrono::seconds(30);
/// Every card is judged at least so often, whatever comes.
inline constexpr Duration kJudgeAtLeast = std::chrono::seconds(1);

class CardGuard {
 public:
  explicit CardGuard(PolicyCard guarded) : card(std::move(guarded)) {}

  /// A question is put now.
  void asked(Instant now);
  /// It was answered, or it was not: `why`.
  void answered(CardSample sample);
  void missed(std::string why);

  /// Something happened to the card: the next question is due now; after the answer that is awaited, since
  /// that may tell of the time before.
  void hurry(Instant now) {
    next_ask_ = now;
    hurried_ = true;
  }

  /// `may_sleep`: runtime power management may suspend it.
  decide::TripOutput judge(const GuardPolicy& guard, const decide::Use& use, bool may_sleep, Instant now);

  /// When the next question is due.
  Instant next_ask() const { return next_ask_; }
  /// When it must be judged again, if no sample and no holder comes before.
  Instant judge_by() const { return judge_by_; }
  std::optional<Instant> judged_at() const { return judged_at_; }
  /// It was judged when it had to be.
  bool judged_on_time(Instant now) const;

  GuardState state() const { return trip.state; }
  /// Why it is in that state, as a sentence; empty while guarding.
  std::string reason() const;
  /// By Channel, where believed; and the highest of them.
  std::array<std::optional<Celsius>, 2> celsius() const;
  std::optional<Celsius> hottest() const;
  bool lent() const { return judgement_.lent; }
  const Verdicts& verdicts() const { return judgement_.verdicts; }
  const std::optional<CardSample>& sample() const { return sample_; }
  const std::string& missed_why() const { return missed_why_; }

  PolicyCard card;
  decide::CardMemory belief;
  decide::TripMemory trip;

 private:
  Duration pace(const GuardPolicy& guard, const decide::TripOutput& output, const decide::Use& use,
                bool may_sleep) const;
  Instant stale_at() const;

  decide::Judgement judgement_;
  std::optional<CardSample> sample_;
  std::string missed_why_;
  Duration pace_{};
  Instant asked_at_{};
  Instant next_ask_{};
  Instant judge_by_{};
  bool hurried_ = false;                     // until the next question is put
  std::optional<Instant> unanswered_since_;  // the oldest question that has no answer
  std::optional<Instant> judged_at_;
};

}  // namespace interlock::daemon
