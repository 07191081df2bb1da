#include "act/objection.h"

#include "act/prepare.h"
#include "base/text.h"
#include "host/paths.h"
#include "model/state_text.h"

namespace interlock::act {
namespace {

Result<GuardReport> report_of(Host& host) {
  const std::string boot_id = TRY(host.read_file(paths::kBootId));
  const std::string text = TRY(in_context(host.read_file(paths::kGuardReport), paths::kGuardReport));
  return parse_guard(text, trimmed(boot_id));
}

std::optional<std::string> tripped(const Run& run, const GuardReport& report) {
  for (const PciAddress& pci : run.cards) {
    const PolicyCard* card = run.policy.card(pci);
    if (card == nullptr) continue;
    const auto state = report.states.find(card->id);
    if (state == report.states.end()) continue;
    if (state->second != GuardState::tripped && state->second != GuardState::latched) continue;
    const auto reason = report.reasons.find(card->id);
    return fmt::format("the guard has {} {}{}",
                       state->second == GuardState::tripped ? "tripped on" : "latched", card->id.text(),
                       reason == report.reasons.end() ? "" : ": " + reason->second);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> objection(Run& run) {
  if (auto why = latched(run, run.cards)) return why;
  const auto running = run.host.is_locked(paths::kGuardLock);
  if (running && *running) {
    const auto report = report_of(run.host);
    if (report) return tripped(run, *report);
    if (run.back || run.without_guard) return std::nullopt;
    return fmt::format("what the guard says cannot be read: {}", report.error().message);
  }
  if (run.back || run.without_guard) return std::nullopt;
  if (!running) return fmt::format("whether the guard runs cannot be told: {}", running.error().message);
  return "the guard does not run any more, and nothing watches the cards";
}

}  // namespace interlock::act
