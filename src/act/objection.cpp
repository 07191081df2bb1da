#include "act/objection.h"

#include "act/prepare.h"
#include "base/text.h"
#include "host/paths.h"
#include "observe/own_state.h"

namespace interlock::act {
namespace {

std::optional<std::string> tripped(const Run& run, const GuardReport& report) {
  for (const PciAddress& pci : run.cards) {
    const PolicyCard* card = run.policy.card(pci);
    if (card == nullptr) continue;
    const auto state = report.states.find(card->id);
    if (state == report.states.end()) continue;
    if (state->second != GuardState::tripped && state->second != GuardState::latched) continue;
    const auto reason = report.reasons.find(card->id);
    return fmt::format("the guard says that {} is {}{}", card->id.text(), to_string(state->second),
                       reason == report.reasons.end() ? "" : ": " + reason->second);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> told_to_stop(const Run& run) {
  if (run.back || !run.told_to_stop) return std::nullopt;
  const auto by = run.told_to_stop();
  if (!by) return std::nullopt;
  return fmt::format("told to stop ({})", *by);
}

std::optional<std::string> objection(Run& run) {
  if (auto why = told_to_stop(run)) return why;
  if (auto why = latched(run, run.cards)) return why;
  const auto boot_id = run.host.read_file(paths::kBootId);
  if (!boot_id) return in_context(boot_id.error(), paths::kBootId).message;
  HostState seen;
  seen.taken_at = run.host.now();
  seen.boot_id = trimmed(*boot_id);
  observe::read_guard(run.host, seen);
  if (seen.guard.fresh) return tripped(run, seen.guard);
  if (run.back || run.without_guard) return std::nullopt;
  if (seen.guard.running == Truth::no)
    return "the guard does not run any more, and nothing watches the cards";
  return seen.cannot_tell.empty() ? "the guard has not judged the cards in time: they may be unwatched"
                                  : "cannot tell " + seen.cannot_tell.front();
}

}  // namespace interlock::act
