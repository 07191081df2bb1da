#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "cli/render.h"
#include "cli/render_card.h"
#include "decide/use.h"

namespace interlock::cli {
namespace {

std::string place_text(const Place& place) {
  if (!place.known) return "cannot tell where";
  if (!place.container) return place.unit ? "the host's " + place.unit->text() : "the host";
  return place.container->text() + (place.unit ? "/" + place.unit->text() : ", in no unit");
}

std::string engine_text(const Holder& holder) {
  if (holder.kfd_queue) return "compute queue";
  if (holder.engine_percent) return fmt::format("{} % busy", *holder.engine_percent);
  return holder.uses == Truth::unknown ? "use not known" : "";
}

std::string holder_memory(const Holder& holder) {
  const auto memory = decide::memory_of(holder);
  if (!memory) return "not known";
  return bytes_text(*memory) + (holder.memory ? "" : " (KFD)");
}

/// What is wrong comes first, else the policy's order.
std::vector<CardStatus> worst_first(std::vector<CardStatus> statuses) {
  std::ranges::stable_sort(statuses, {}, [](const CardStatus& status) {
    switch (status.state) {
      case GuardState::tripped:
        return 0;
      case GuardState::latched:
        return 1;
      case GuardState::blind:
      case GuardState::absent:
        return 2;
      case GuardState::warning:
        return 3;
      case GuardState::guarding:
      case GuardState::lent:
        break;
    }
    return 4;
  });
  return statuses;
}

std::string cards_table(const std::vector<CardStatus>& statuses, const Policy& policy, const Style& style) {
  std::vector<std::vector<Cell>> rows = {{"CARD", "STATE", "JUNCTION", "MEMORY", "VRAM USED", "CARD IS"}};
  for (const CardStatus& status : statuses) {
    rows.push_back({status.card->id.text(), state_cell(status, style),
                    channel_cell(status.verdicts, policy.guard, Channel::junction, style),
                    channel_cell(status.verdicts, policy.guard, Channel::memory, style),
                    memory_text(*status.card), use_text(status.use)});
  }
  return table(rows);
}

std::string reasons_text(const std::vector<CardStatus>& statuses, const HostState& state) {
  std::string text;
  for (const CardStatus& status : statuses) {
    if (!status.reason.empty())
      text += fmt::format("  {}: {}\n", status.card->id.text(), printable(status.reason));
    const auto latch = state.latches.find(status.card->pci);
    if (latch == state.latches.end()) continue;
    if (!latch->second.tripped.empty())
      text += fmt::format("    tripped at {}\n", printable(latch->second.tripped));
    text += fmt::format("    once it is known why: gpu-interlock reset {}\n", status.card->id.text());
  }
  return text;
}

/// The largest first; a card that many have open must not push the rest off the screen.
std::string holders_table(const std::vector<CardStatus>& statuses, const Style& style) {
  constexpr std::size_t kShown = 5;
  std::vector<std::vector<Cell>> rows = {{"HELD BY", "CARD", "PID", "IN", "MEMORY", "USE"}};
  std::string more;
  for (const CardStatus& status : statuses) {
    std::vector<Holder> holders = status.card->holders;
    std::ranges::stable_sort(holders, std::ranges::greater(), decide::memory_of);
    if (holders.size() > kShown) {
      more += fmt::format("{} of {}: gpu-interlock status --json\n",
                          counted(holders.size() - kShown, "more holder"), status.card->id.text());
      holders.erase(holders.begin() + kShown, holders.end());
    }
    for (const Holder& holder : holders) {
      const Cell use = holder.uses == Truth::no ? Cell("idle", style.dim("idle")) : Cell(engine_text(holder));
      rows.push_back({printable(holder.command), status.card->id.text(),
                      fmt::format("{}", holder.process.pid), place_text(holder.place), holder_memory(holder),
                      use});
    }
  }
  if (rows.size() == 1) return {};
  return "\n" + table(rows) + more;
}

std::string units_text(const Container& container) {
  std::vector<std::string> units;
  for (const Unit& unit : container.units) {
    units.push_back(fmt::format("{} {}, {}", unit.name.text(), to_string(unit.active), to_string(unit.file)));
  }
  if (container.units_answer == UnitsAnswer::unanswered) units.push_back("gave no answer about its units");
  return joined(units, "; ");
}

Cell at_boot(const Container& container, const Style& style) {
  if (!container.autostart.any()) return {"stays down"};
  const bool stands_still = container.running == RunState::stopped && !container.cards().empty();
  return {"starts", stands_still ? style.warn("starts") : "starts"};
}

std::string containers_table(const HostState& state, const Policy& policy, const Style& style) {
  std::vector<std::vector<Cell>> rows = {{"CONTAINER", "NAME", "NOW", "AT BOOT", "BINDS", "UNITS"}};
  for (const Container& container : state.containers) {
    const auto cards = container.cards();
    if (cards.empty() && !policy.containers.contains(container.vmid))
      continue;  // nothing to do with the cards
    rows.push_back({container.vmid.text(), printable(container.name),
                    std::string(to_string(container.running)), at_boot(container, style),
                    cards_text(cards, policy), units_text(container)});
  }
  return table(rows);
}

/// So many that the tables below stay on the screen.
std::string violations_text(const std::vector<Finding>& violations, const Style& style) {
  constexpr std::size_t kShown = 4;
  if (violations.size() <= kShown) return findings_text(violations, style);
  const std::vector<Finding> first(violations.begin(), violations.begin() + kShown);
  return findings_text(first, style) + style.bad(counted(violations.size() - kShown, "more violation")) +
         ": gpu-interlock audit\n";
}

}  // namespace

std::string status_text(const HostState& state, const Policy& policy, const Audit& audit,
                        const Style& style) {
  std::string text =
      fmt::format("{}: {}; {}.\n", style.bold(state.node.empty() ? "this host" : printable(state.node)),
                  guard_line(state, style), cutover_line(state, style));
  std::vector<Finding> violations;
  for (const Finding& finding : audit.findings) {
    if (finding.severity == Severity::violation) violations.push_back(finding);
  }
  text += violations_text(violations, style);
  for (const std::string& unknown : audit.unknown) {
    text += fmt::format("{} {}\n", style.bad("cannot tell"), printable(unknown));
  }
  const auto statuses = worst_first(card_statuses(state, policy));
  text += "\n" + cards_table(statuses, policy, style);
  text += reasons_text(statuses, state);
  text += holders_table(statuses, style);
  text += "\n" + containers_table(state, policy, style);
  const auto rest = audit.findings.size() - violations.size();
  if (rest > 0) text += fmt::format("\n{} more from gpu-interlock audit.\n", counted(rest, "finding"));
  return text;
}

}  // namespace interlock::cli
