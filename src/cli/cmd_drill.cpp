#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "act/card_look.h"
#include "base/text.h"
#include "cli/card_alone.h"
#include "cli/commands.h"
#include "decide/rehearsal.h"
#include "decide/verdict.h"

namespace interlock::cli {
namespace {

using namespace std::chrono_literals;

std::string seconds_text(Duration time) {
  return fmt::format("{:.1f} s", static_cast<double>(time / 1ms) / 1000.0);
}

/// What the sensors read now; a channel that is not believed is a failure of the drill.
void tell_sensors(Outcome& outcome, const PolicyCard& card, const Verdicts& verdicts) {
  outcome.text += "Sensors, by one look:\n";
  outcome.json["sensors"] = nlohmann::json::object();
  for (const Channel channel : kChannels) {
    const auto& verdict = verdicts[static_cast<std::size_t>(channel)];
    if (!verdict) continue;
    const std::string name(to_string(channel));
    const std::string kind(to_string(verdict->kind));
    outcome.json["sensors"][name] = {{"verdict", kind}, {"why", verdict->why}};
    if (verdict->celsius) outcome.json["sensors"][name]["celsius"] = verdict->celsius->degrees();
    outcome.text += fmt::format("  {} {}\n", name,
                                verdict->celsius       ? to_string(*verdict->celsius)
                                : verdict->why.empty() ? kind
                                                       : kind + ": " + printable(verdict->why));
    if (verdict->blind()) {
      outcome.exit = exits::kUnreadable;
      outcome.failures.push_back(
          {fmt::format("{} is blind on its {}: {}; with a process on it, it would trip", card.id.text(), name,
                       printable(verdict->why))});
    }
  }
}

void tell_trips(Outcome& outcome, const PolicyCard& card, const std::vector<decide::RehearsedTrip>& trips) {
  outcome.text += "\nThe guard, with made-up readings and a process on the card:\n";
  outcome.json["trips"] = nlohmann::json::array();
  for (const decide::RehearsedTrip& trip : trips) {
    nlohmann::json json = {{"channel", to_string(trip.channel)},
                           {"mishap", to_string(trip.mishap)},
                           {"after_ms", nullptr},
                           {"why", trip.why}};
    if (trip.after) json["after_ms"] = *trip.after / 1ms;
    outcome.json["trips"].push_back(std::move(json));
    const std::string what = fmt::format("{} {}", to_string(trip.channel), to_string(trip.mishap));
    if (trip.after) {
      outcome.text += fmt::format("  {}: trips {} later ({})\n", what, seconds_text(*trip.after), trip.why);
      continue;
    }
    outcome.exit = exits::kUnreadable;
    outcome.failures.push_back({fmt::format("{}: {} led to no trip within {}", card.id.text(), what,
                                            seconds_text(decide::kRehearsal))});
  }
}

void tell_rungs(Outcome& outcome, const std::vector<decide::RehearsedRung>& rungs) {
  outcome.text += "\nThe ladder that a trip would climb, each rung only while somebody still has the card:\n";
  outcome.json["rungs"] = nlohmann::json::array();
  std::vector<std::vector<Cell>> rows;
  for (const decide::RehearsedRung& rung : rungs) {
    outcome.json["rungs"].push_back({{"rung", to_string(rung.rung)},
                                     {"subject", rung.subject},
                                     {"text", rung.text},
                                     {"within_ms", rung.within / 1ms}});
    rows.push_back({std::string(to_string(rung.rung)), printable(rung.subject), printable(rung.text),
                    rung.within == Duration::zero() ? "" : "within " + seconds_text(rung.within)});
  }
  outcome.text += table(rows, "  ");
}

void tell_holders(Outcome& outcome, const PolicyCard& card, const act::CardLook& look) {
  outcome.text += fmt::format("\nIt is held by {}.\n", look.text());
  outcome.json["held_by"] = look.text();
  outcome.json["spared"] = nlohmann::json::array();
  for (const Holder& holder : look.spared) {
    outcome.json["spared"].push_back({{"pid", holder.process.pid}, {"command", holder.command}});
    outcome.text += fmt::format("No rung touches {} (pid {}), which has it open too.\n",
                                printable(holder.command), holder.process.pid);
  }
  if (!look.blind.empty()) {
    outcome.exit = exits::kUnreadable;
    outcome.failures.push_back({fmt::format("who has {} cannot be told: {}", card.id.text(), look.blind)});
  }
}

Outcome drill(Context& context, const std::string& name) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  const auto card = named_card(*policy, name);
  if (!card) return card.error();

  Outcome outcome;
  outcome.json["card"] = card->id.text();
  outcome.text = fmt::format("A drill on {}: nothing is touched.\n\n", card->id.text());
  const Card seen = card_alone(context, *card);
  tell_sensors(outcome, *card, decide::judge_alone(*card, policy->guard, seen, context.host.now()));
  tell_trips(outcome, *card, decide::rehearse_trips(*card, policy->guard, *seen.sample));
  const act::CardLook look = act::look_at_card(context.host, *policy, card->pci);
  tell_holders(outcome, *card, look);
  tell_rungs(outcome, decide::rehearse_ladder(policy->guard, look.targets(), look.containers()));
  return outcome;
}

}  // namespace

void add_drill(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "drill", "Rehearse a trip of a card: what is detected, and every rung that would be taken");
  const auto card = std::make_shared<std::string>();
  command->add_option("CARD", *card, "A card of the policy")->required();
  at_length(
      *command,
      "Nothing is touched. The sensors are read and judged, the guard's own logic is run on made-up heat and "
      "blindness, and the ladder is worked out from who has the card now. A time counts from the first "
      "reading that "
      "is hot or missing; a grace, from the last one that was believed. Exits 7 where a channel is not "
      "believed, a trip would not come, or a holder cannot be told.");
  command->callback(
      [&action, card] { action = [name = *card](Context& context) { return drill(context, name); }; });
}

}  // namespace interlock::cli
