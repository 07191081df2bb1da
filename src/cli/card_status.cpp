#include "cli/render.h"
#include "decide/verdict.h"

namespace interlock::cli {
namespace {

bool guard_speaks(const HostState& state) {
  return state.guard.running == Truth::yes && state.guard.fresh;
}

std::string first_blind_reason(const Verdicts& verdicts) {
  for (const Channel channel : kChannels) {
    const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
    if (verdict && verdict->blind()) return std::string(to_string(channel)) + ": " + verdict->why;
  }
  return {};
}

bool reaches(const Verdicts& verdicts, const GuardPolicy& guard, Celsius Limits::* limit) {
  for (const Channel channel : kChannels) {
    const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
    const auto& limits = guard.limits(channel);
    if (verdict && verdict->celsius && limits && *verdict->celsius >= (*limits).*limit) return true;
  }
  return false;
}

/// Without a guard that speaks: what one look at the card tells.
void judge_by_ourselves(CardStatus& status, const HostState& state, const Policy& policy) {
  const Card& card = *status.card;
  const PolicyCard* declared = policy.card(card.id);
  if (declared != nullptr)
    status.verdicts = decide::judge_alone(*declared, policy.guard, card, state.taken_at);
  if (!card.present) {
    status.state = GuardState::absent;
    status.reason = "no card is in its slot";
  } else if (!card.driver.empty() && card.driver != "amdgpu") {
    status.state = GuardState::lent;
    status.reason = "the driver " + card.driver + " has it";
  } else if (const std::string blind = first_blind_reason(status.verdicts); !blind.empty()) {
    status.state = GuardState::blind;
    status.reason = blind;
  } else if (reaches(status.verdicts, policy.guard, &Limits::warn)) {
    status.state = GuardState::warning;
    status.reason = reaches(status.verdicts, policy.guard, &Limits::trip)
                        ? "hot enough to trip, and no guard watches it"
                        : "warm, and no guard watches it";
  } else {
    status.state = GuardState::guarding;
    status.reason = state.guard.running == Truth::yes
                        ? "the guard is not fresh: this is one look at the sensors"
                        : "no guard watches it: this is one look at the sensors";
  }
}

}  // namespace

std::vector<CardStatus> card_statuses(const HostState& state, const Policy& policy) {
  std::vector<CardStatus> statuses;
  for (const Card& card : state.cards) {
    CardStatus status;
    status.card = &card;
    status.use = decide::card_use(state, policy, card);
    const auto judged = state.guard.states.find(card.id);
    if (guard_speaks(state) && judged != state.guard.states.end()) {
      status.guarded = true;
      status.state = judged->second;
      if (const auto why = state.guard.reasons.find(card.id); why != state.guard.reasons.end()) {
        status.reason = why->second;
      }
      if (const auto seen = state.guard.verdicts.find(card.id); seen != state.guard.verdicts.end()) {
        status.verdicts = seen->second;
      }
    } else {
      judge_by_ourselves(status, state, policy);
    }
    if (const auto latch = state.latches.find(card.pci); latch != state.latches.end()) {
      if (status.state != GuardState::tripped) status.state = GuardState::latched;
      status.reason = latch->second.why;
    }
    statuses.push_back(std::move(status));
  }
  return statuses;
}

}  // namespace interlock::cli
