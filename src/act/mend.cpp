#include "act/mend.h"

#include "act/ledger_file.h"
#include "base/text.h"
#include "decide/plan.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

std::string set_command(const Step& step) {
  std::string command = "pct set " + step.container->text();
  for (const auto& [key, value] : step.settings) {
    command += value ? fmt::format(" --{} {}", key, *value) : fmt::format(" --delete {}", key);
  }
  return command;
}

}  // namespace

std::string command_for(const Step& step) {
  const std::string vmid = step.container ? step.container->text() : "";
  const std::string unit = step.unit ? step.unit->text() : "";
  switch (step.kind) {
    case StepKind::retire_unit:
      return fmt::format("pct exec {} -- systemctl disable --now {}", vmid, unit);
    case StepKind::clear_autostart:
    case StepKind::restore_autostart:
      return set_command(step);
    case StepKind::set_limits:
      return step.settings.empty() ? "" : set_command(step);
    case StepKind::stop_container:
      return "pct shutdown " + vmid;
    case StepKind::start_container:
      return "pct start " + vmid;
    case StepKind::start_unit:
      return fmt::format("pct exec {} -- systemctl start {}", vmid, unit);
    case StepKind::enable_unit:
      return fmt::format("pct exec {} -- systemctl enable {}", vmid, unit);
    case StepKind::take_card:
    case StepKind::see_card_free:
    case StepKind::release_cards:
    case StepKind::bind_cards:
    case StepKind::give_card:
    case StepKind::see_serving:
    case StepKind::sweep:
      return "";  // what a person should leave to `recover`
  }
  return "";
}

std::vector<std::string> what_to_mend(Run& run, const Target& wanted) {
  constexpr std::string_view kRecover = "`gpu-interlock recover --back` tries the way back again";
  std::vector<std::string> messages;
  const auto state =
      observe::look(run.host, run.policy, {.units = true, .all_holders = true, .samples = false});
  if (!state) {
    messages.push_back(fmt::format("what is there now cannot be seen: {}", state.error().message));
    messages.emplace_back(kRecover);
    return messages;
  }
  messages = decide::differences(*state, run.policy, wanted);
  if (const auto plan = decide::plan(*state, run.policy, wanted, run.id)) {
    for (const Step& step : plan->steps) {
      const std::string command = command_for(step);
      if (!command.empty()) messages.push_back(fmt::format("{}: `{}`", step.text, command));
    }
  } else {
    messages.push_back(plan.error().message);
  }
  messages.emplace_back(kRecover);
  return messages;
}

Ledger bound_ledger(const HostState& state, const Policy& policy) {
  Ledger ledger;
  for (const PolicyCard& card : policy.cards) {
    if (card.shared) continue;
    std::vector<Vmid> binding;
    for (const Container& container : state.containers) {
      if (container.binds(card.pci)) binding.push_back(container.vmid);
    }
    // One of several may be its owner only when it alone can start with it.
    if (binding.size() > 1)
      std::erase_if(binding, [&](Vmid vmid) { return !state.container(vmid)->can_hold(card.pci); });
    ledger[card.pci] = binding.size() == 1 ? Owner::of(binding.front()) : Owner::nobody();
  }
  return ledger;
}

Result<void> rebuild_ledger(Run& run, const HostState& state) {
  Ledger ledger = bound_ledger(state, run.policy);
  for (auto& [card, owner] : ledger) {
    if (run.cards.contains(card)) owner = Owner::held_by(run.id);
  }
  return write_ledger(run.host, ledger);
}

}  // namespace interlock::act
