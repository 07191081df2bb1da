#include <fmt/format.h>

#include <memory>

#include "act/ledger_file.h"
#include "base/text.h"
#include "cli/card_alone.h"
#include "cli/commands.h"
#include "cli/render.h"
#include "decide/invariants.h"
#include "host/paths.h"

namespace interlock::cli {
namespace {

constexpr Duration kLockPatience = std::chrono::seconds(1);

nlohmann::json ledger_json(const Ledger& ledger, const Policy& policy) {
  auto json = nlohmann::json::array();
  for (const auto& [card, owner] : ledger) {
    json.push_back({{"card", policy.card_name(card)}, {"pci", card.text()}, {"owner", owner.text()}});
  }
  return json;
}

Outcome shown(const Ledger& ledger, const Policy& policy) {
  Outcome outcome;
  outcome.json["ledger"] = ledger_json(ledger, policy);
  std::vector<std::vector<Cell>> rows = {{"CARD", "ADDRESS", "MAY BE HELD BY"}};
  for (const PolicyCard& card : policy.cards) {
    const auto line = ledger.find(card.pci);
    rows.push_back({card.id.text(), card.pci.text(),
                    line == ledger.end() ? "not said: whoever is alone with it" : line->second.text()});
  }
  for (const auto& [card, owner] : ledger) {
    if (policy.card(card) == nullptr) rows.push_back({"-", card.text(), owner.text()});
  }
  outcome.text = table(rows);
  return outcome;
}

Outcome show(Context& context) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  const auto ledger = act::read_ledger(context.host);
  if (!ledger) {
    return failed(
        exits::kUnreadable,
        ledger.error().message + ". To write it anew from what is bound: gpu-interlock ledger rebuild");
  }
  return shown(*ledger, *policy);
}

/// The one container that can hold the card, or would if it ran.
Owner owner_as_bound(const HostState& state, const PciAddress& card) {
  const Container* stopped = nullptr;
  for (const Container& container : state.containers) {
    if (container.can_hold(card)) return Owner::of(container.vmid);
    if (container.binds(card)) stopped = stopped == nullptr ? &container : nullptr;
  }
  return stopped == nullptr ? Owner::nobody() : Owner::of(stopped->vmid);
}

/// `whole`: the ledger is written anew; otherwise only `named` cards, or those that it has no line for.
Outcome from_what_is_bound(Context& context, bool whole, const std::vector<std::string>& named) {
  const auto policy = policy_of(context, PolicyChoice::or_kept);
  if (!policy) return policy.error();
  std::set<PciAddress> cards;
  for (const std::string& name : named) {
    const auto card = named_card(*policy, name);
    if (!card) return card.error();
    cards.insert(card->pci);
  }
  auto ledger = act::read_ledger(context.host);
  if (!ledger && !whole) {
    return failed(exits::kUnreadable,
                  ledger.error().message + ". To write it anew: gpu-interlock ledger rebuild");
  }
  if (const auto made = context.host.make_folder(paths::kRun, 0755); !made) {
    return failed(exits::kUnreadable, made.error().message);
  }
  const auto lock = context.host.lock(paths::kCutoverLock, kLockPatience);
  if (!lock)
    return failed(exits::kBusy, "a cutover is at work, and the ledger is its: " + lock.error().message);
  const auto state = look(context, *policy, {.units = false, .all_holders = true, .samples = false});
  if (!state) return state.error();
  if (state->cutover) {
    return failed(
        exits::kRefused,
        fmt::format("the cutover {} is open; finish it first: gpu-interlock recover", state->cutover->name));
  }
  for (const auto& breach : decide::breaches(*state, *policy)) {
    if (breach.invariant == "I1")
      return failed(exits::kRefused,
                    breach.message +
                        ". The ledger cannot be written from that: take the card out of one of them first");
  }
  Ledger next = whole ? Ledger{} : *ledger;
  for (const PolicyCard& card : policy->cards) {
    if (card.shared) continue;
    const bool wanted = whole || (named.empty() ? !next.contains(card.pci) : cards.contains(card.pci));
    if (wanted) next.insert_or_assign(card.pci, owner_as_bound(*state, card.pci));
  }
  if (const auto written = act::write_ledger(context.host, next); !written) {
    return failed(exits::kUnreadable, written.error().message);
  }
  return shown(next, *policy);
}

}  // namespace

void add_ledger(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("ledger", "Which container may hold each card");
  command->require_subcommand(0, 1);
  at_length(
      *command,
      "The gate refuses the start of a container whose card the ledger gives to another. A card is given to "
      "a "
      "container, to none, or is held by an open cutover; one that the ledger does not name is judged by who "
      "has "
      "it. Cutovers write the ledger; adopt and rebuild are for a host that was changed by hand, and refuse "
      "where two containers can hold one card.");
  command->callback([&action] {
    if (!action) action = show;
  });
  const auto named = std::make_shared<std::vector<std::string>>();
  auto* adopt = command->add_subcommand(
      "adopt", "Take what is bound now for cards that the ledger does not name, or for these");
  adopt->add_option("CARD", *named, "Cards whose line is to be written anew");
  adopt->callback([&action, named] {
    action = [named](Context& context) { return from_what_is_bound(context, false, *named); };
  });
  command->add_subcommand("rebuild", "Write the whole ledger anew from what is bound now")
      ->callback(
          [&action] { action = [](Context& context) { return from_what_is_bound(context, true, {}); }; });
}

}  // namespace interlock::cli
