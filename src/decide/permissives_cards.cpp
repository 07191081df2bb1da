#include "decide/permissives_cards.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/plan_checks.h"
#include "decide/verdict.h"

namespace interlock::decide {
namespace {

/// The guard has a history, and so the better word; but only while it is alive and on time.
Verdicts verdicts_of(const HostState& state, const Policy& policy, const PolicyCard& card, const Card& seen) {
  if (state.guard.running == Truth::yes && state.guard.fresh) {
    const auto judged = state.guard.verdicts.find(card.id);
    if (judged != state.guard.verdicts.end()) return judged->second;
  }
  return judge_alone(card, policy.guard, seen, state.taken_at);
}

void judge_temperature(const HostState& state, const Policy& policy, const PolicyCard& card, const Card& seen,
                       std::vector<Unmet>& found) {
  const Verdicts verdicts = verdicts_of(state, policy, card, seen);
  std::vector<std::string> hot;
  std::vector<std::string> blind;
  for (const Channel channel : kChannels) {
    const auto& limits = policy.guard.limits(channel);
    if (!limits) continue;
    const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
    if (!verdict || verdict->blind()) {
      blind.push_back(fmt::format("{}: {}", to_string(channel), verdict ? verdict->why : "never judged"));
    } else if (verdict->celsius && *verdict->celsius >= limits->warn) {
      hot.push_back(fmt::format("{} {}, and must be below {}", to_string(channel),
                                to_string(*verdict->celsius), to_string(limits->warn)));
    }
  }
  const std::string id = card.id.text();
  if (!hot.empty()) {
    found.push_back({"card-hot", id, fmt::format("{} is hot: {}", id, joined(hot, "; ")),
                     "let it cool down; if it does not, look at its cooling"});
  }
  if (!blind.empty()) {
    found.push_back({"card-blind", id,
                     fmt::format("{} cannot be read, and counts as too hot: {}", id, joined(blind, "; ")),
                     "gpu-interlock sensors"});
  }
}

std::optional<GuardState> guard_says(const HostState& state, const CardId& card) {
  if (state.guard.running != Truth::yes || !state.guard.fresh) return std::nullopt;
  const auto found = state.guard.states.find(card);
  return found == state.guard.states.end() ? std::nullopt : std::optional(found->second);
}

/// Whatever is wrong with the card itself, before its temperature is a question; false: nobody need ask.
bool judge_presence(const HostState& state, const PolicyCard& card, const Card* seen,
                    std::vector<Unmet>& found) {
  const std::string id = card.id.text();
  if (seen == nullptr || !seen->present) {
    found.push_back({"card-absent", id,
                     fmt::format("{} is not in this machine: nothing at {}", id, card.pci.text()),
                     "lspci -D; is it seated, and does the firmware see it?"});
    return false;
  }
  if (seen->replaced) {
    found.push_back({"card-replaced", id,
                     fmt::format("{} is another card than the policy means: its unique_id is {}, not {}", id,
                                 seen->unique_id ? printable(*seen->unique_id) : "absent",
                                 card.unique_id ? *card.unique_id : "the policy's"),
                     "correct the card's pci or unique_id in the policy"});
  }
  const bool other_driver = !seen->driver.empty() && seen->driver != "amdgpu";
  if (other_driver || guard_says(state, card.id) == GuardState::lent) {
    found.push_back({"card-lent", id,
                     fmt::format("{} is with the driver {}, not with amdgpu", id, printable(seen->driver)),
                     "give it back to amdgpu"});
    return false;
  }
  return true;
}

void judge_latch(const HostState& state, const PolicyCard& card, std::vector<Unmet>& found) {
  const std::string id = card.id.text();
  const auto latch = state.latches.find(card.pci);
  const auto said = guard_says(state, card.id);
  std::string why;
  if (latch != state.latches.end()) {
    why = latch->second.damaged ? "its latch file cannot be understood" : latch->second.why;
  } else if (said == GuardState::latched || said == GuardState::tripped) {
    const auto reason = state.guard.reasons.find(card.id);
    why = reason == state.guard.reasons.end() ? "the guard says so" : reason->second;
  } else {
    return;
  }
  found.push_back({"card-latched", id, fmt::format("{} is latched after a trip: {}", id, why),
                   fmt::format("look why it tripped, then: gpu-interlock reset {}", id)});
}

void judge_vms(const HostState& state, const PolicyCard& card, std::vector<Unmet>& found) {
  const auto vms = state.vms.find(card.pci);
  if (vms == state.vms.end() || vms->second.empty()) return;
  found.push_back({"card-bound-by-vm", card.id.text(),
                   fmt::format("{} is passed through to {}, which runs or starts by itself", card.id.text(),
                               joined(vms->second, ", ")),
                   "take hostpci out of it, or shut it down and set onboot: 0"});
}

void judge_freedom(const HostState& state, const Policy& policy, const std::vector<Change>& changes,
                   std::vector<Unmet>& found) {
  const auto moving = cards_that_move(policy, changes);
  if (moving.empty()) return;
  if (const auto foreign = foreign_holder(state, policy, changes, moving)) {
    found.push_back(
        {"holder-foreign", policy.card_name(foreign->card), foreign->message, "end that process first"});
  }
  for (const UnknownHolder& holder : state.unknown_holders) {
    const bool ends = std::ranges::any_of(changes, [&](const Change& change) {
      return change.stop && holder.place.known && holder.place.container == change.now->vmid;
    });
    if (ends) continue;
    found.push_back({"holder-unknown", fmt::format("process {}", holder.pid),
                     fmt::format("process {} may hold a card that is to move, and cannot be looked into: {}",
                                 holder.pid, holder.why),
                     fmt::format("see what it is: ls -l /proc/{}/fd", holder.pid)});
  }
}

}  // namespace

void add_unmet_of_cards(const HostState& state, const Policy& policy, const std::vector<Change>& changes,
                        std::vector<Unmet>& found) {
  for (const PolicyCard& card : policy.cards) {
    const bool runs = std::ranges::any_of(changes, [&](const Change& change) {
      return change.runs_after && change.cards_after.contains(card.pci);
    });
    if (!runs) continue;
    const Card* seen = state.card(card.pci);
    judge_vms(state, card, found);
    judge_latch(state, card, found);
    if (judge_presence(state, card, seen, found)) judge_temperature(state, policy, card, *seen, found);
  }
  judge_freedom(state, policy, changes, found);
}

}  // namespace interlock::decide
