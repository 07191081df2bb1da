#include "guard_simulator.h"

#include <algorithm>
#include <utility>

namespace interlock::test {

using namespace std::chrono_literals;

GuardSimulator::GuardSimulator(PolicyCard card, GuardPolicy guard, CardSimulator& simulator, Dice& dice,
                               Duration slowest_read)
    : card_(std::move(card)),
      guard_(guard),
      simulator_(simulator),
      dice_(dice),
      slowest_read_(slowest_read) {}

Instant GuardSimulator::stale_at() const {
  return unanswered_since_.value_or(next_ask_) + kReadDeadline;
}

std::optional<Instant> GuardSimulator::next(Instant until) const {
  const Instant reader = asked_ ? answer_at_ : next_ask_;
  const Instant at = std::min(reader, judge_by_);
  if (at > until) return std::nullopt;
  return at;
}

std::optional<GuardSimulator::Step> GuardSimulator::happen(const World& world, Instant now) {
  if (!asked_ && now >= next_ask_) {
    before_question(now);
    asked_ = true;
    asked_at_ = now;
    if (!unanswered_since_) unanswered_since_ = now;
    under_way_ = simulator_.answer(world, now);
    answer_at_ = now + (under_way_ ? dice_.between(1ms, slowest_read_) : kReadDeadline);
    return std::nullopt;
  }
  if (asked_ && now >= answer_at_) {
    asked_ = false;
    if (under_way_) {
      newest_ = std::exchange(under_way_, std::nullopt);
      unanswered_since_.reset();
    }
  }
  return judge(world, now);
}

GuardSimulator::Step GuardSimulator::judge(const World& world, Instant now) {
  if (!asked_ && !unanswered_since_) next_ask_ = std::max(next_ask_, asked_at_ + guard_.poll_warm);
  const Instant sampled_at = newest_ ? newest_->taken_at : now;
  Step step{.now = now, .judgement = {}, .output = {}};
  step.judgement =
      decide::judge({.card = card_, .guard = guard_, .use = world.use, .deadline = stale_at() - sampled_at},
                    belief_, newest_, now);
  step.output = decide::step(guard_, trip_, {.judgement = step.judgement, .use = world.use}, now);

  next_ask_ = std::max(now, asked_at_ + (step.output.poll_fast ? guard_.poll_warm : guard_.poll));
  judge_by_ = now + 1s;
  if (stale_at() > now) judge_by_ = std::min(judge_by_, stale_at());
  if (step.output.due && *step.output.due > now) judge_by_ = std::min(judge_by_, *step.output.due);
  return step;
}

}  // namespace interlock::test
