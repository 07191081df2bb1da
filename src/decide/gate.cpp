#include "decide/gate.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlock::decide {
namespace {

std::string card_list(const std::set<PciAddress>& cards, const Policy& policy) {
  std::string text;
  for (const PciAddress& card : cards) text += (text.empty() ? "" : ", ") + policy.card_name(card);
  return text;
}

bool holds_now(const HostState& state, const Policy& policy, Vmid vmid, const PciAddress& card) {
  const Card* seen = state.card(card);
  return seen != nullptr && policy.card(card) != nullptr &&
         std::ranges::any_of(seen->holders,
                             [&](const Holder& holder) { return holder.place.container == vmid; });
}

bool counts(const Claim& claim, const HostState& state) {
  return claim.boot_id == state.boot_id && state.taken_at - claim.made_at <= kClaimLife;
}

/// A person has opened the gate for this start: just now, or when it passed the first time.
bool opened(const GateQuestion& question, const std::set<PciAddress>& cards, const HostState& state) {
  const auto& allowance = question.allowance;
  if (allowance && allowance->vmid == question.vmid && allowance->boot_id == state.boot_id &&
      state.taken_at - allowance->made_at <= kAllowanceLife) {
    return true;
  }
  return std::ranges::any_of(question.claims, [&](const Claim& claim) {
    return claim.vmid == question.vmid && claim.opened && counts(claim, state) &&
           std::ranges::includes(claim.cards, cards);
  });
}

/// What no allowance lifts: another container has the card, or is about to.
std::vector<std::string> occupied(const GateQuestion& question, const PciAddress& card,
                                  const HostState& state, const Policy& policy) {
  std::vector<std::string> found;
  const std::string name = policy.card_name(card);
  for (const Container& other : state.containers) {
    if (other.vmid == question.vmid) continue;
    const bool binds = other.binds(card);
    if (binds && other.running == RunState::running) {
      found.push_back(fmt::format("container {} runs and binds {}: stop it first", other.vmid.text(), name));
    } else if (binds && other.running == RunState::unknown) {
      found.push_back(
          fmt::format("container {} binds {}, and whether it runs cannot be told", other.vmid.text(), name));
    } else if (holds_now(state, policy, other.vmid, card)) {
      found.push_back(fmt::format("a process of container {} has {} open", other.vmid.text(), name));
    }
  }
  for (const Claim& claim : question.claims) {
    if (claim.vmid == question.vmid || !claim.cards.contains(card) || !counts(claim, state)) continue;
    if (const Container* other = state.container(claim.vmid);
        other != nullptr && other->running == RunState::running) {
      continue;  // said above
    }
    found.push_back(fmt::format("container {} is starting with {}", claim.vmid.text(), name));
  }
  return found;
}

/// What an allowance lifts: whose card it is.
std::vector<std::string> not_given(const GateQuestion& question, const PciAddress& card,
                                   const HostState& state, const Policy& policy) {
  const std::string name = policy.card_name(card);
  if (!state.ledger) return {};  // said once for all cards
  const auto line = state.ledger->find(card);
  const Owner owner = line == state.ledger->end() ? Owner::nobody() : line->second;
  if (owner.kind == Owner::Kind::held) {
    return {
        fmt::format("{} is held by the cutover {}, and belongs to no container until that is over: "
                    "gpu-interlock recover --status",
                    name, owner.cutover)};
  }
  if (owner.kind == Owner::Kind::container) {
    if (owner.container == question.vmid) return {};
    return {fmt::format("the ledger gives {} to container {}: move it with a cutover", name,
                        owner.container->text())};
  }
  // Nobody's: judged by I1. A container that the policy does not know gives way to one that it does.
  std::vector<std::string> found;
  if (policy.containers.contains(question.vmid)) return found;
  for (const Container& other : state.containers) {
    if (other.vmid == question.vmid || !policy.containers.contains(other.vmid) || !other.can_hold(card))
      continue;
    found.push_back(fmt::format("container {}, which the policy knows, binds {} and starts by itself",
                                other.vmid.text(), name));
  }
  return found;
}

}  // namespace

std::set<PciAddress> judged_cards(const std::set<PciAddress>& cards, const Policy& policy) {
  std::set<PciAddress> judged;
  for (const PciAddress& card : cards) {
    const PolicyCard* known = policy.card(card);
    if (known != nullptr && !known->shared) judged.insert(card);
  }
  return judged;
}

GateAnswer gate(const GateQuestion& question, const HostState& state, const Policy& policy) {
  GateAnswer answer;
  answer.claimed = judged_cards(question.cards, policy);
  if (answer.claimed.empty()) return answer;

  std::vector<std::string> firm;
  std::vector<std::string> liftable;
  if (!state.ledger) {
    liftable.push_back(
        fmt::format("who may have {} cannot be told, since the ledger cannot be read ({}): "
                    "gpu-interlock ledger rebuild",
                    card_list(answer.claimed, policy), state.ledger_error));
  }
  for (const PciAddress& card : answer.claimed) {
    for (auto& sentence : occupied(question, card, state, policy)) firm.push_back(std::move(sentence));
    for (auto& sentence : not_given(question, card, state, policy)) liftable.push_back(std::move(sentence));
  }
  answer.refusals = std::move(firm);
  if (!liftable.empty() && opened(question, answer.claimed, state)) {
    answer.opened = answer.refusals.empty();
  } else {
    answer.refusals.insert(answer.refusals.end(), liftable.begin(), liftable.end());
  }
  answer.allow = answer.refusals.empty();
  return answer;
}

}  // namespace interlock::decide
