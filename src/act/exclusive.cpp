#include "act/exclusive.h"

#include "observe/host_state.h"
#include "observe/nodes_inside.h"

namespace interlock::act {
namespace {

std::string refusal(const Run& run, const Container& other, const PciAddress& card, Vmid vmid) {
  const bool stopped = other.running == RunState::stopped;
  return fmt::format("container {} {} with {} again: nothing is given to container {} until it is {}",
                     other.vmid.text(), stopped ? "would start" : "runs", run.policy.card_name(card),
                     vmid.text(), stopped ? "kept from that" : "stopped");
}

/// Nothing: it has none of these cards inside without a line that says so. Whose configuration was changed
/// while it ran has what it was started with.
std::optional<std::string> kept_since_start(Run& run, const Container& other, Vmid vmid,
                                            const std::vector<PciAddress>& cards) {
  if (other.running == RunState::stopped) return std::nullopt;
  const auto inside = observe::cards_inside(run.host, observe::card_nodes(run.host), other.vmid);
  if (!inside) return fmt::format("what container {} has: {}", other.vmid.text(), inside.error().message);
  for (const PciAddress& card : cards) {
    const PolicyCard* known = run.policy.card(card);
    const bool shared = known != nullptr && known->shared;
    if (shared || !inside->contains(card) || other.binds(card)) continue;
    return fmt::format(
        "container {0} runs with {1} since its start, though its configuration does not name it any more: "
        "nothing is given to container {2} until it is stopped",
        other.vmid.text(), run.policy.card_name(card), vmid.text());
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> held_elsewhere(Run& run, Vmid vmid, const std::vector<PciAddress>& cards) {
  const auto state =
      observe::look(run.host, run.policy, {.units = false, .all_holders = false, .samples = false});
  if (!state) return state.error().message;
  for (const PciAddress& card : cards) {
    const PolicyCard* known = run.policy.card(card);
    if (known != nullptr && known->shared) continue;
    for (const Container& other : state->containers) {
      if (other.vmid == vmid || !other.can_hold(card)) continue;
      return refusal(run, other, card, vmid);
    }
  }
  for (const Container& other : state->containers) {
    if (other.vmid == vmid) continue;
    if (auto why = kept_since_start(run, other, vmid, cards)) return why;
  }
  return std::nullopt;
}

}  // namespace interlock::act
