#include "daemon/card_guard.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlock::daemon {
namespace {

/// A loop that is later than this with a judgement is not on time, and the watchdog is not fed.
constexpr Duration kLateness = std::chrono::milliseconds(500);

std::string blind_sentence(const Verdicts& verdicts) {
  for (const Channel channel : kChannels) {
    const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
    if (!verdict || !verdict->blind()) continue;
    return fmt::format("{} is {}: {}", to_string(channel), to_string(verdict->kind), verdict->why);
  }
  return {};
}

}  // namespace

void CardGuard::asked(Instant now) {
  asked_at_ = now;
  hurried_ = false;
  if (!unanswered_since_) unanswered_since_ = now;
}

void CardGuard::answered(CardSample sample) {
  next_ask_ = sample.taken_at + pace_;
  sample_ = std::move(sample);
  unanswered_since_.reset();
  missed_why_.clear();
}

void CardGuard::missed(std::string why) {
  missed_why_ = std::move(why);
}

Instant CardGuard::stale_at() const {
  return unanswered_since_.value_or(next_ask_) + kReadDeadline;
}

decide::TripOutput CardGuard::judge(const GuardPolicy& guard, const decide::Use& use, bool may_sleep,
                                    Instant now) {
  // After an answer the next question is due at the fast pace at the earliest; which pace, the judgement
  // says.
  if (!unanswered_since_) next_ask_ = std::max(next_ask_, asked_at_ + guard.poll_warm);
  const Instant sampled_at = sample_ ? sample_->taken_at : now;
  const decide::JudgeContext context{
      .card = card, .guard = guard, .use = use, .deadline = stale_at() - sampled_at};
  judgement_ = decide::judge(context, belief, sample_, now);
  const decide::TripOutput output = decide::step(guard, trip, {judgement_, use}, now);
  judged_at_ = now;

  pace_ = pace(guard, output, use, may_sleep);
  next_ask_ = hurried_ ? now : std::max(now, asked_at_ + pace_);
  judge_by_ = now + kJudgeAtLeast;
  if (stale_at() > now) judge_by_ = std::min(judge_by_, stale_at() + std::chrono::microseconds(1));
  if (output.due) judge_by_ = std::min(judge_by_, std::max(now, *output.due));
  return output;
}

Duration CardGuard::pace(const GuardPolicy& guard, const decide::TripOutput& output, const decide::Use& use,
                         bool may_sleep) const {
  if (output.poll_fast) return guard.poll_warm;
  if (judgement_.lent) return std::max(kLentPoll, guard.poll);
  if (!use.held && may_sleep && trip.state == GuardState::guarding) return std::max(kSleepyPoll, guard.poll);
  return guard.poll;
}

bool CardGuard::judged_on_time(Instant now) const {
  return judged_at_ && now <= judge_by_ + kLateness;
}

std::string CardGuard::reason() const {
  if (trip.latched) return trip.why;
  switch (trip.state) {
    case GuardState::guarding:
      return {};
    case GuardState::warning:
      return hottest()
                 ? fmt::format("{} is at or above `warn`, or not yet below `resume`", to_string(*hottest()))
                 : std::string("it was at or above `warn`");
    case GuardState::absent:
      return fmt::format("there is no card at {}", card.pci.text());
    default:
      break;
  }
  const std::string blind = blind_sentence(judgement_.verdicts);
  return missed_why_.empty() ? blind : fmt::format("{} ({})", blind, missed_why_);
}

std::array<std::optional<Celsius>, 2> CardGuard::celsius() const {
  std::array<std::optional<Celsius>, 2> believed;
  for (std::size_t i = 0; i < believed.size(); ++i) {
    if (const auto& verdict = judgement_.verdicts[i]) believed[i] = verdict->celsius;
  }
  return believed;
}

std::optional<Celsius> CardGuard::hottest() const {
  return std::ranges::max(celsius());  // nothing is below every temperature
}

}  // namespace interlock::daemon
