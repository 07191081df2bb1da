// The daemon's part in the property test: asks, judges and steps at the moments when the daemon does.
#pragma once

#include <functional>

#include "card_simulator.h"
#include "decide/trip.h"

namespace interlock::test {

/// One card under guard. Call run_until() with the moment of each change in the world.
class GuardSimulator {
 public:
  struct Step {
    Instant now;
    decide::Judgement judgement;
    decide::TripOutput output;
  };

  GuardSimulator(PolicyCard card, GuardPolicy guard, CardSimulator& simulator, Dice& dice,
                 Duration slowest_read);

  /// The next thing that happens of itself, at or before `until`: a question, an answer, a deadline, a `due`.
  std::optional<Instant> next(Instant until) const;
  /// Lets it happen, and judges, unless it was only a question. `world` is as it is now.
  std::optional<Step> happen(const World& world, Instant now);
  Step judge(const World& world, Instant now);

  const decide::TripMemory& trip() const { return trip_; }
  /// Asked when a question is put: which fault the answer shall have.
  std::function<void(Instant)> before_question = [](Instant) {};

 private:
  Instant stale_at() const;

  PolicyCard card_;
  GuardPolicy guard_;
  CardSimulator& simulator_;
  Dice& dice_;
  Duration slowest_read_;

  decide::CardMemory belief_;
  decide::TripMemory trip_;
  std::optional<CardSample> newest_;  // that came
  std::optional<CardSample> under_way_;
  bool asked_ = false;   // a question has no answer yet
  Instant answer_at_{};  // when it comes, or counts as missed
  Instant asked_at_{};
  Instant next_ask_{};
  Instant judge_by_{};
  std::optional<Instant> unanswered_since_;
};

}  // namespace interlock::test
