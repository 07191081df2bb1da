#include "cli/render_card.h"

#include <fmt/format.h>

#include "base/text.h"

namespace interlock::cli {

Cell state_cell(const CardStatus& status, const Style& style) {
  const std::string word(to_string(status.state));
  switch (status.state) {
    case GuardState::guarding:
      if (!status.guarded) return {"no guard", style.bad("no guard")};
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

std::string memory_text(const Card& card) {
  if (!card.memory_used || !card.memory_total) return "-";
  return bytes_text(*card.memory_used) + " of " + bytes_text(*card.memory_total);
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

}  // namespace interlock::cli
