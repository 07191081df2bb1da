// take_card and give_card: what the ledger says of a card.
#include "act/ledger_file.h"
#include "act/step.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

/// Both witnesses that this container is the one with the card: its configuration, and what was generated
/// from it.
std::optional<std::string> not_granted(Run& run, Vmid vmid, const PciAddress& card) {
  const auto container = observe::look_at_container(run.host, run.policy, vmid, false);
  if (!container) return container.error().message;
  const std::string name = run.policy.card_name(card);
  if (!container->binds(card))
    return fmt::format("the configuration of container {} does not bind {}", vmid.text(), name);
  if (container->generated_stale) {
    return fmt::format("the configuration that container {} starts with is not the one that binds {}",
                       vmid.text(), name);
  }
  return std::nullopt;
}

}  // namespace

Outcome set_owner(Run& run, const Step& step) {
  if (step.kind == StepKind::give_card) {
    if (const auto synced = barrier(run.host); !synced) return failed(synced.error().message);
    for (const PciAddress& card : step.cards) {
      if (step.owner.kind != Owner::Kind::container) continue;
      if (auto why = not_granted(run, *step.owner.container, card)) return failed(*std::move(why));
    }
  }
  auto ledger = read_ledger(run.host);
  if (!ledger) return failed(ledger.error().message);
  for (const PciAddress& card : step.cards) (*ledger)[card] = step.owner;
  const auto written = write_ledger(run.host, *ledger);
  const auto now = read_ledger(run.host);
  if (!now) return failed(now.error().message);
  if (*now != *ledger) {
    return failed(written ? "the ledger was written, and does not read so" : written.error().message);
  }
  return done(fmt::format("the ledger says {}", step.owner.text()));
}

}  // namespace interlock::act
