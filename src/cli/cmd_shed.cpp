#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "act/shed.h"
#include "base/text.h"
#include "cli/card_alone.h"
#include "cli/commands.h"
#include "decide/trip.h"
#include "decide/verdict.h"
#include "host/paths.h"
#include "model/state_text.h"

namespace interlock::cli {
namespace {

struct ShedCall {
  std::string card;
  bool all = false;
  bool judged = false;
};

/// The last resort is for a card that is hot now; what cannot be read counts as hot.
bool still_hot(Context& context, const Policy& policy, const PolicyCard& card) {
  const Card seen = card_alone(context, card);
  return decide::reset_refusal(policy.guard,
                               decide::judge_alone(card, policy.guard, seen, context.host.now()))
      .has_value();
}

/// Cards that a guard has judged in this boot. When the guard has died without ever having judged one,
/// nothing that it was trusted with is shed.
Or<std::set<CardId>> judged_this_boot(Context& context) {
  const auto boot = context.host.read_file(paths::kBootId);
  if (!boot) return std::unexpected(failed(exits::kUnreadable, boot.error().message));
  const auto text = context.host.read_file(paths::kGuardReport);
  if (!text && is_missing(text.error())) return std::set<CardId>{};
  if (!text) return std::unexpected(failed(exits::kUnreadable, text.error().message));
  const auto report = parse_guard(*text, trimmed(*boot));
  std::set<CardId> judged;
  if (!report) return judged;  // of another boot
  for (const auto& [card, verdicts] : report->verdicts) judged.insert(card);
  return judged;
}

Or<std::vector<PolicyCard>> chosen_cards(Context& context, const Policy& policy, const ShedCall& call) {
  if (call.all == !call.card.empty()) {
    return std::unexpected(failed(exits::kUsage, "shed which card? Name one, or give --all"));
  }
  std::vector<PolicyCard> cards;
  if (!call.all) {
    const auto card = named_card(policy, call.card);
    if (!card) return std::unexpected(card.error());
    return std::vector{*card};
  }
  if (!call.judged) return policy.cards;
  const auto judged = judged_this_boot(context);
  if (!judged) return std::unexpected(judged.error());
  for (const PolicyCard& card : policy.cards) {
    if (judged->contains(card.id)) cards.push_back(card);
  }
  return cards;
}

Outcome shed(Context& context, const ShedCall& call) {
  const auto policy = policy_of(context, PolicyChoice::or_kept);
  if (!policy) return policy.error();
  const auto cards = chosen_cards(context, *policy, call);
  if (!cards) return cards.error();

  Outcome outcome;
  outcome.json["cards"] = nlohmann::json::array();
  for (const PolicyCard& card : *cards) {
    const auto report = act::shed(
        context.host, *policy, card, [](const act::ShedEvent&) {},
        [&] { return still_hot(context, *policy, card); });
    nlohmann::json events = nlohmann::json::array();
    for (const act::ShedEvent& event : report.events) {
      events.push_back(
          {{"rung", act::to_string(event.rung)}, {"subject", event.subject}, {"text", event.text}});
      outcome.text +=
          fmt::format("  {} {}: {}\n", act::to_string(event.rung), event.subject, printable(event.text));
    }
    outcome.json["cards"].push_back({{"id", card.id.text()}, {"empty", report.empty}, {"events", events}});
    if (report.empty) {
      outcome.text += fmt::format("{} is empty: nothing has it open.\n", card.id.text());
    } else {
      outcome.exit = exits::kHeld;
      outcome.failures.push_back(
          {fmt::format("{} is still held after every rung: gpu-interlock status", card.id.text())});
    }
  }
  return outcome;
}

}  // namespace

void add_shed(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("shed", "Take the load off a card now: stop what really uses it, and see it gone");
  const auto call = std::make_shared<ShedCall>();
  command->add_option("CARD", call->card, "A card of the policy");
  command->add_flag("--all", call->all, "Every card of the policy");
  command->add_flag("--judged", call->judged,
                    "With --all: only cards that the guard has judged in this boot");
  at_length(*command,
            "What the guard does on a trip: freeze, stop and kill the unit, then stop and kill the "
            "container, each rung "
            "only while somebody still has the card, each seen to work or not by looking at the card again. "
            "No latch is "
            "set. It works while the policy is broken, with its last good copy.");
  command->callback([&action, call] { action = [call](Context& context) { return shed(context, *call); }; });
}

}  // namespace interlock::cli
