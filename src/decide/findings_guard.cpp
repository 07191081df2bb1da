#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/findings_rules.h"

namespace interlock::decide {
namespace {

bool is_loaded(const Card& card) {
  return std::ranges::any_of(card.holders, [](const Holder& holder) { return holder.uses != Truth::no; });
}

std::vector<std::string> loaded_cards(const HostState& state) {
  std::vector<std::string> found;
  for (const Card& card : state.cards) {
    if (is_loaded(card) || !state.unknown_holders.empty()) found.push_back(card.id.text());
  }
  return found;
}

std::string since(const HostState& state) {
  if (!state.guard.judged_at || *state.guard.judged_at > state.taken_at)
    return "has not judged them in this boot";
  const auto age = std::chrono::duration<double>(state.taken_at - *state.guard.judged_at);
  return fmt::format("last judged all of them {:.1f} s ago", age.count());
}

void add_guard(const HostState& state, Report& report) {
  const auto loaded = loaded_cards(state);
  const Severity severity = loaded.empty() ? Severity::warning : Severity::violation;
  const std::string load = loaded.empty() ? "no card is loaded now" : listed(loaded) + " in use";
  if (state.guard.running == Truth::unknown) {
    report.cannot_tell("whether the guard runs");
  } else if (state.guard.running == Truth::no) {
    report.add("guard-not-running", severity,
               {"guard", fmt::format("The guard does not run, so nobody watches the cards: {}.", load),
                "systemctl start gpu-interlockd; if it does not stay, see journalctl -u gpu-interlockd"});
  } else if (!state.guard.fresh) {
    report.add("guard-stale", severity,
               {"guard", fmt::format("The guard runs but does not keep up: it {}, {}.", since(state), load),
                "See journalctl -u gpu-interlockd; systemctl restart gpu-interlockd"});
  }
}

void add_latches(const AuditInput& input, Report& report) {
  for (const auto& [pci, latch] : input.state.latches) {
    if (!input.is_ours(pci)) continue;
    const std::string name = input.card(pci);
    const std::string what = latch.damaged
                                 ? std::string("its latch file is damaged, which counts as latched")
                                 : fmt::format("{}: {}", to_string(latch.reason), printable(latch.why));
    const std::string when = latch.tripped.empty() ? "" : fmt::format(" since {}", printable(latch.tripped));
    report.add("card-latched", {name, fmt::format("{} is latched{} and kept empty: {}.", name, when, what),
                                fmt::format("Find the cause, then gpu-interlock reset {}", name)});
  }
}

}  // namespace

void audit_guard(const AuditInput& input, Report& report) {
  add_guard(input.state, report);
  add_latches(input, report);
}

}  // namespace interlock::decide
