#include <fmt/format.h>

#include "base/text.h"
#include "decide/findings_rules.h"
#include "decide/verdict.h"

namespace interlock::decide {
namespace {

const Celsius kDisagreement = Celsius::from_degrees(10);  // more than two readings of one look can differ by

bool is_held(const AuditInput& input, const Card& card) {
  return !card.holders.empty() || !input.state.unknown_holders.empty();
}

/// The driver whose card the guard watches; any other has the card on loan.
bool is_lent(const Card& card) {
  return !card.driver.empty() && card.driver != "amdgpu";
}

void add_missing(const PolicyCard& policy_card, Report& report) {
  report.add("card-missing",
             {policy_card.id.text(),
              fmt::format("{} is not in the machine: no PCI device has the address {}.",
                          policy_card.id.text(), policy_card.pci.text()),
              "Look for it with `lspci -D`, and correct the policy if it has another address now."});
}

void add_replaced(const PolicyCard& policy_card, const Card& card, Report& report) {
  if (!card.replaced) return;
  report.add("card-replaced",
             {policy_card.id.text(),
              fmt::format("In the slot of {} sits another card: its unique_id is {}, the policy says {}.",
                          policy_card.id.text(), card.unique_id ? printable(*card.unique_id) : "not given",
                          policy_card.unique_id ? printable(*policy_card.unique_id) : "none"),
              "Put the new card's unique_id into the policy if the exchange was meant."});
}

/// The guard's own verdicts while it is fresh, since it knows what came before; else those of this one look.
std::optional<Verdicts> verdicts_of(const AuditInput& input, const PolicyCard& policy_card,
                                    const Card& card) {
  if (input.state.guard.running == Truth::yes && input.state.guard.fresh) {
    const auto known = input.state.guard.verdicts.find(policy_card.id);
    if (known != input.state.guard.verdicts.end()) return known->second;
  }
  if (!card.sample) return std::nullopt;
  return judge_alone(policy_card, input.policy.guard, card, input.state.taken_at);
}

void add_blind(const AuditInput& input, const PolicyCard& policy_card, const Card& card, Report& report) {
  const auto verdicts = verdicts_of(input, policy_card, card);
  if (!verdicts) {
    report.cannot_tell(fmt::format("the sensors of {} were not read", policy_card.id.text()));
    return;
  }
  for (const Channel channel : kChannels) {
    const auto& verdict = verdicts->at(static_cast<std::size_t>(channel));
    if (!input.policy.guard.limits(channel) || !verdict || !verdict->blind()) continue;
    const bool held = is_held(input, card);
    report.add(
        "sensor-blind", held ? Severity::violation : Severity::warning,
        {policy_card.id.text(),
         fmt::format("The {} temperature of {} is {}: {}.", to_string(channel), policy_card.id.text(),
                     to_string(verdict->kind), verdict->why.empty() ? "no reason given" : verdict->why),
         "See `gpu-interlock sensors`."});
  }
}

void add_disagreement(const AuditInput& input, const PolicyCard& policy_card, const Card& card,
                      Report& report) {
  if (!card.sample) return;
  const Verdicts ours = judge_alone(policy_card, input.policy.guard, card, input.state.taken_at);
  for (const Channel channel : kChannels) {
    const auto index = static_cast<std::size_t>(channel);
    const auto& second = card.second_opinion.at(index);
    if (!second || !ours.at(index) || !ours.at(index)->celsius) continue;
    const Celsius first = *ours.at(index)->celsius;
    const Celsius apart = first > *second ? first - *second : *second - first;
    if (apart <= kDisagreement) continue;
    report.add("sensor-disagrees",
               {policy_card.id.text(),
                fmt::format("The {} temperature of {} is {} by the driver's file and {} by libsensors.",
                            to_string(channel), policy_card.id.text(), to_string(first), to_string(*second)),
                "See `gpu-interlock sensors`; one of the two reads another sensor or card."});
  }
}

/// How warm a channel may be when the trip is confirmed: `confirm` samples later, at the policy's fastest.
Celsius when_confirmed(const GuardPolicy& guard, const Limits& limits) {
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(guard.poll_warm * guard.confirm);
  return limits.trip + Celsius::from_milli(milliseconds.count() * guard.slew);
}

void add_limits(const AuditInput& input, const PolicyCard& policy_card, const Card& card, Report& report) {
  for (const Channel channel : kChannels) {
    const auto& limits = input.policy.guard.limits(channel);
    const auto& emergency = card.emergency[static_cast<std::size_t>(channel)];
    // 0 and below: the card gives none (amdgpu.md 1.4).
    if (!limits || !emergency || *emergency <= Celsius::from_degrees(0)) continue;
    const Celsius reached = when_confirmed(input.policy.guard, *limits);
    if (reached <= *emergency) continue;
    report.add(
        "limits-too-close-to-emergency",
        {policy_card.id.text(),
         fmt::format("{} can be at {} {} before a trip at {} is confirmed, and its emergency limit is {}.",
                     policy_card.id.text(), to_string(channel), to_string(reached), to_string(limits->trip),
                     to_string(*emergency)),
         fmt::format("Lower `trip` of {} in the policy, or `confirm` or `poll_warm`.", to_string(channel))});
  }
}

}  // namespace

void audit_cards(const AuditInput& input, Report& report) {
  for (const PolicyCard& policy_card : input.policy.cards) {
    const Card* card = input.state.card(policy_card.pci);
    if (card == nullptr) {
      report.cannot_tell(fmt::format("{} was not looked at", policy_card.id.text()));
      continue;
    }
    if (!card->present) {
      add_missing(policy_card, report);
      continue;
    }
    add_replaced(policy_card, *card, report);
    if (is_lent(*card)) continue;
    add_blind(input, policy_card, *card, report);
    add_disagreement(input, policy_card, *card, report);
    add_limits(input, policy_card, *card, report);
  }
}

}  // namespace interlock::decide
