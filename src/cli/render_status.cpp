#include <fmt/format.h>

#include "base/text.h"
#include "cli/render.h"

namespace interlock::cli {
namespace {

Cell state_cell(GuardState state, const Style& style) {
  const std::string word(to_string(state));
  switch (state) {
    case GuardState::guarding:
      return {word, style.good(word)};
    case GuardState::warning:
    case GuardState::lent:
      return {word, style.warn(word)};
    case GuardState::tripped:
    case GuardState::latched:
    case GuardState::blind:
    case GuardState::absent:
      break;
  }
  return {word, style.bad(word)};
}

Cell channel_cell(const Verdicts& verdicts, const GuardPolicy& guard, Channel channel, const Style& style) {
  const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
  if (!verdict) return {"-"};
  if (!verdict->celsius) {
    const std::string word(to_string(verdict->kind));
    return {word, verdict->blind() ? style.bad(word) : word};
  }
  const std::string text = to_string(*verdict->celsius);
  const auto& limits = guard.limits(channel);
  if (limits && *verdict->celsius >= limits->trip) return {text, style.bad(text)};
  if (limits && *verdict->celsius >= limits->warn) return {text, style.warn(text)};
  return {text};
}

std::string use_text(const decide::CardUse& use) {
  std::string text(decide::to_string(use.state));
  if (use.container) text += " " + use.container->text();
  if (use.unit) text += (use.container ? "/" : " ") + use.unit->text();
  return text;
}

std::string holder_text(const Holder& holder) {
  std::string where = holder.place.known ? "on the host" : "somewhere that could not be told";
  if (holder.place.container) where = "in " + holder.place.container->text();
  if (holder.place.unit) where += (holder.place.container ? "/" : ", ") + holder.place.unit->text();
  const std::string memory = holder.memory ? bytes_text(*holder.memory) : "memory not known";
  return fmt::format("pid {} {} {}, {}{}", holder.process.pid, printable(holder.command), where, memory,
                     holder.uses == Truth::no ? ", idle" : "");
}

std::string guard_line(const HostState& state, const Style& style) {
  if (state.guard.running == Truth::no) return style.bad("the guard is not running");
  if (state.guard.running == Truth::unknown) return style.bad("cannot tell whether the guard runs");
  if (!state.guard.fresh) return style.bad("the guard runs and has not judged its cards in time");
  return style.good("the guard watches");
}

std::string cutover_line(const HostState& state, const Style& style) {
  if (!state.cutover) return "no cutover is open";
  const std::string text =
      fmt::format("cutover {} is {}", printable(state.cutover->name), state.cutover->state);
  return state.cutover->attended ? style.warn(text) : style.bad(text + ": gpu-interlock recover");
}

std::string cards_table(const std::vector<CardStatus>& statuses, const Policy& policy, const Style& style) {
  std::vector<std::vector<Cell>> rows = {{"CARD", "STATE", "JUNCTION", "MEMORY", "USED BY"}};
  for (const CardStatus& status : statuses) {
    rows.push_back({status.card->id.text(), state_cell(status.state, style),
                    channel_cell(status.verdicts, policy.guard, Channel::junction, style),
                    channel_cell(status.verdicts, policy.guard, Channel::memory, style),
                    use_text(status.use)});
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

std::string holders_text(const HostState& state) {
  std::string text;
  for (const Card& card : state.cards) {
    for (const Holder& holder : card.holders) {
      text += fmt::format("  {}: {}\n", card.id.text(), holder_text(holder));
    }
  }
  return text;
}

std::string units_text(const Container& container) {
  std::vector<std::string> units;
  for (const Unit& unit : container.units) {
    units.push_back(fmt::format("{} {}, {}", unit.name.text(), to_string(unit.active), to_string(unit.file)));
  }
  if (container.units_answer == UnitsAnswer::unanswered) units.push_back("gave no answer about its units");
  return joined(units, "; ");
}

std::string containers_table(const HostState& state, const Policy& policy) {
  std::vector<std::vector<Cell>> rows = {{"CONTAINER", "NAME", "NOW", "AT BOOT", "BINDS", "UNITS"}};
  for (const Container& container : state.containers) {
    const auto cards = container.cards();
    if (cards.empty() && !policy.containers.contains(container.vmid))
      continue;  // nothing to do with the cards
    rows.push_back({container.vmid.text(), printable(container.name),
                    std::string(to_string(container.running)),
                    container.autostart.any() ? "starts" : "stays down", cards_text(cards, policy),
                    units_text(container)});
  }
  return table(rows);
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
  text += findings_text(violations, style);
  for (const std::string& unknown : audit.unknown) {
    text += fmt::format("{} {}\n", style.bad("cannot tell"), printable(unknown));
  }
  const auto statuses = card_statuses(state, policy);
  text += "\n" + cards_table(statuses, policy, style);
  text += reasons_text(statuses, state);
  text += holders_text(state);
  text += "\n" + containers_table(state, policy);
  const auto rest = audit.findings.size() - violations.size();
  if (rest > 0) text += fmt::format("\n{} more from gpu-interlock audit.\n", counted(rest, "finding"));
  return text;
}

}  // namespace interlock::cli
