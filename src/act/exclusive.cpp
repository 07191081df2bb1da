#include "act/exclusive.h"

#include "observe/host_state.h"

namespace interlock::act {

std::optional<std::string> held_elsewhere(Run& run, Vmid vmid, const std::vector<PciAddress>& cards) {
  const auto state =
      observe::look(run.host, run.policy, {.units = false, .all_holders = false, .samples = false});
  if (!state) return state.error().message;
  for (const PciAddress& card : cards) {
    const PolicyCard* known = run.policy.card(card);
    if (known != nullptr && known->shared) continue;
    for (const Container& other : state->containers) {
      if (other.vmid == vmid || !other.can_hold(card)) continue;
      return fmt::format("container {} {} with {} again: nothing is given to container {} until it is {}",
                         other.vmid.text(), other.running == RunState::stopped ? "would start" : "runs",
                         run.policy.card_name(card), vmid.text(),
                         other.running == RunState::stopped ? "kept from that" : "stopped");
    }
  }
  return std::nullopt;
}

}  // namespace interlock::act
