// What a target says and a state does not show, in sentences.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "decide/plan.h"
#include "decide/plan_change.h"
#include "decide/plan_text.h"

namespace interlock::decide {
namespace {

using Sentences = std::vector<std::string>;

void compare_power(const Change& change, Sentences& found) {
  const auto wanted = change.want->state;
  if (!wanted || change.now->running == *wanted) return;
  found.push_back(fmt::format("container {} is {}, not {}", change.now->vmid.text(),
                              change.now->running == RunState::unknown ? "in a state that cannot be told"
                                                                       : to_string(change.now->running),
                              to_string(*wanted)));
}

void compare_cards(const Policy& policy, const Change& change, Sentences& found) {
  const std::string vmid = change.now->vmid.text();
  std::vector<PciAddress> unwanted;  // a line that is only outdated is told with those to be written
  std::ranges::copy_if(change.loses, std::back_inserter(unwanted), [&](const PciAddress& card) {
    return std::ranges::find(change.gains, card) == change.gains.end();
  });
  if (!unwanted.empty()) {
    found.push_back(fmt::format(
        "{} {} still in {} of container {}", card_list(policy, unwanted), unwanted.size() > 1 ? "are" : "is",
        change.release.empty() ? "the generated configuration" : "the configuration", vmid));
  }
  if (!change.gains.empty()) {
    found.push_back(
        fmt::format("container {} lacks {}, or a line of it", vmid, card_list(policy, change.gains)));
  }
  if (change.regenerate) {
    found.push_back(
        fmt::format("what container {} starts with was not generated from its configuration", vmid));
  }
  if (change.runs_now && change.runs_after && change.stop && !change.edits()) {
    found.push_back(fmt::format("container {} runs with other cards than its configuration says", vmid));
  }
}

void compare_settings(const Change& change, Sentences& found) {
  const auto shown = [](const std::optional<std::string>& value) {
    return value ? fmt::format("\"{}\"", printable(*value)) : std::string("absent");
  };
  const auto now = [&](const std::string& key) {
    const auto at = change.now->settings.find(key);
    return shown(at == change.now->settings.end() ? std::nullopt : at->second);
  };
  const std::string vmid = change.now->vmid.text();
  for (const auto& [key, wanted] : change.limits) {
    found.push_back(fmt::format("{} of container {} is {}, not {}", key, vmid, now(key), shown(wanted)));
  }
  if (change.onboot_differs) {
    found.push_back(
        fmt::format("onboot of container {} is {}, not {}", vmid, now("onboot"), shown(change.onboot)));
  }
}

void compare_units(const Change& change, Sentences& found) {
  const std::string vmid = change.now->vmid.text();
  if (!change.runs_after || !change.runs_now || !change.asks_units()) return;
  if (!change.units_known()) {
    found.push_back(
        fmt::format("what the units of container {} do cannot be told: {}", vmid,
                    change.now->units_error.empty() ? "it has not answered" : change.now->units_error));
    return;
  }
  for (const UnitName& unit : change.retire_first) {
    if (unit == change.want->serve) {
      found.push_back(fmt::format("{} of container {} is enabled", unit.text(), vmid));
    } else {
      found.push_back(fmt::format("{} of container {} is not seen disabled and inactive", unit.text(), vmid));
    }
  }
  if (!change.want->serve || change.stop) return;
  const std::string& serve = change.want->serve->text();
  if (change.start_unit) found.push_back(fmt::format("{} of container {} does not run", serve, vmid));
  if (change.see_serving && !change.start_unit) {
    found.push_back(fmt::format("{} of container {} runs, and is not seen to use its cards", serve, vmid));
  }
  if (change.enable_unit) found.push_back(fmt::format("{} of container {} is not enabled", serve, vmid));
}

}  // namespace

std::vector<std::string> differences(const HostState& state, const Policy& policy, const Target& target) {
  Sentences found;
  for (const auto& [vmid, want] : target.wants) {
    if (state.container(vmid) == nullptr)
      found.push_back(fmt::format("container {} does not exist", vmid.text()));
  }
  const std::vector<Change> what = changes(state, policy, target);
  for (const Change& change : what) {
    compare_power(change, found);
    compare_cards(policy, change, found);
    compare_settings(change, found);
    compare_units(change, found);
  }
  if (!state.ledger) found.push_back("the ledger cannot be read: " + state.ledger_error);
  for (const PolicyCard& card : policy.cards) {
    if (card.shared || !ledger_disagrees(state, target, what, card.pci)) continue;
    const Owner& line = state.ledger->at(card.pci);
    const std::string named = line.kind == Owner::Kind::held
                                  ? "holds " + card.id.text() + " for a cutover"
                                  : "gives " + card.id.text() + " to " + line.text();
    const Owner wanted = owner_after(what, card.pci);
    found.push_back(
        fmt::format("the ledger {}, not to {}", named,
                    wanted.kind == Owner::Kind::container ? "container " + wanted.text() : "nobody"));
  }
  return found;
}

}  // namespace interlock::decide
