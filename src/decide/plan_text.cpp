#include "decide/plan_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace interlock::decide {
namespace {

/// "cores 48 (was 8)", "swap taken out (was 0)"
std::string settings_text(const Container* now, const Settings& settings) {
  std::vector<std::string> parts;
  for (const auto& [key, wanted] : settings) {
    std::optional<std::string> before;
    if (now != nullptr) {
      const auto found = now->settings.find(key);
      if (found != now->settings.end()) before = found->second;
    }
    parts.push_back(fmt::format("{} {}{}", key, wanted ? printable(*wanted) : "taken out",
                                before ? " (was " + printable(*before) + ")" : ""));
  }
  return joined(parts, ", ");
}

std::string taken_from(const HostState& state, const PciAddress& card) {
  if (!state.ledger) return "";
  const auto line = state.ledger->find(card);
  if (line == state.ledger->end() || line->second.kind != Owner::Kind::container) return "";
  return " from container " + line->second.container->text();
}

}  // namespace

std::string card_list(const Policy& policy, const std::vector<PciAddress>& cards) {
  if (cards.empty()) return "no card";
  std::vector<std::string> names;
  for (const PciAddress& card : cards) names.push_back(policy.card_name(card));
  return joined(names, " and ");
}

std::string step_text(const HostState& state, const Policy& policy, const Target& target, const Step& step) {
  const std::string vmid = step.container ? step.container->text() : "";
  const Container* now = step.container ? state.container(*step.container) : nullptr;
  const std::string cards = card_list(policy, step.cards);
  const std::string unit = step.unit ? step.unit->text() : "";
  switch (step.kind) {
    case StepKind::take_card:
      return fmt::format("{}: the ledger takes it{}, so that no container can start with it", cards,
                         taken_from(state, step.cards.front()));
    case StepKind::retire_unit:
      return fmt::format("{}: disable and stop {}, and see both", vmid, unit);
    case StepKind::clear_autostart:
      return fmt::format("{}: onboot off, so that no boot brings it up on the way", vmid);
    case StepKind::stop_container:
      return fmt::format("{}: shut down", vmid);
    case StepKind::see_card_free:
      return fmt::format("{}: see that no process holds it and that its memory is free", cards);
    case StepKind::release_cards:
      return fmt::format("{}: take {} out of its configuration", vmid, cards);
    case StepKind::bind_cards:
      return fmt::format("{}: write {} into its configuration", vmid, cards);
    case StepKind::set_limits:
      return step.settings.empty()
                 ? fmt::format("{}: have Proxmox generate its configuration for LXC anew", vmid)
                 : fmt::format("{}: {}", vmid, settings_text(now, step.settings));
    case StepKind::give_card:
      return step.container ? fmt::format("{}: the ledger gives it to container {}", cards, vmid)
                            : fmt::format("{}: the ledger gives it to nobody", cards);
    case StepKind::start_container:
      return fmt::format("{}: start, with {}", vmid, cards);
    case StepKind::start_unit:
      return fmt::format("{}: start {}", vmid, unit);
    case StepKind::see_serving:
      return step.cards.empty() ? fmt::format("{}: see {} run", vmid, unit)
                                : fmt::format("{}: see {} serve with {}", vmid, unit, cards);
    case StepKind::enable_unit:
      return fmt::format("{}: enable {}", vmid, unit);
    case StepKind::restore_autostart:
      return fmt::format("{}: {}", vmid, settings_text(nullptr, step.settings));
    case StepKind::sweep:
      return fmt::format("look once more at everything that {} says",
                         target.name.empty() ? "it" : target.name);
  }
  return {};
}

}  // namespace interlock::decide
