#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "decide/verdict.h"

namespace interlock::cli {
namespace {

std::string read_text(const FileRead& read) {
  if (read.error != 0) return fail_errno(read.error, "unreadable").error().message;
  return printable(trimmed(read.text));
}

std::string limits_text(const std::optional<Limits>& limits) {
  if (!limits) return "not guarded";
  return fmt::format("warn {}, trip {}, resume {}", to_string(limits->warn), to_string(limits->trip),
                     to_string(limits->resume));
}

Outcome sensors(Context& context) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  const auto state = look(context, *policy, {.units = false, .second_opinion = true});
  if (!state) return state.error();

  Outcome outcome;
  outcome.json["cards"] = nlohmann::json::array();
  std::vector<std::vector<Cell>> rows = {
      {"CARD", "CHANNEL", "READS", "VERDICT", "LIMITS", "CARD'S OWN EMERGENCY", "LIBSENSORS"}};
  for (const Card& card : state->cards) {
    const PolicyCard* declared = policy->card(card.id);
    if (declared == nullptr) continue;
    const Verdicts verdicts = decide::judge_alone(*declared, policy->guard, card, state->taken_at);
    nlohmann::json json = {
        {"id", card.id.text()}, {"pci", card.pci.text()}, {"channels", nlohmann::json::object()}};
    for (const Channel channel : kChannels) {
      const auto index = static_cast<std::size_t>(channel);
      const bool read = card.sample && card.sample->channel(channel);
      const std::string raw = read ? read_text(card.sample->channel(channel)->input) : "not read";
      const std::string verdict =
          verdicts[index] ? std::string(to_string(verdicts[index]->kind)) : "not required";
      const std::string why = verdicts[index] ? verdicts[index]->why : "";
      const auto& emergency = card.emergency[index];
      const auto& second = card.second_opinion[index];
      rows.push_back({card.id.text(), std::string(to_string(channel)), raw,
                      why.empty() ? verdict : fmt::format("{}: {}", verdict, printable(why)),
                      limits_text(policy->guard.limits(channel)),
                      emergency ? to_string(*emergency) : "not told", second ? to_string(*second) : "none"});
      auto& one = json["channels"][std::string(to_string(channel))];
      one = {
          {"raw", raw}, {"verdict", verdict}, {"why", why}, {"emergency", nullptr}, {"libsensors", nullptr}};
      if (emergency) one["emergency"] = emergency->degrees();
      if (second) one["libsensors"] = second->degrees();
    }
    outcome.json["cards"].push_back(std::move(json));
  }
  outcome.text = table(rows);
  return outcome;
}

}  // namespace

void add_sensors(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("sensors", "What each card's sensors read now, and what is believed of it");
  at_length(*command,
            "The driver's own text, in thousandths of a degree C, the verdict on it (measured, parked, "
            "stale, implausible, unreadable), "
            "the policy's "
            "limits, the card's own emergency limit, and what libsensors says of the same sensor.");
  command->callback([&action] { action = sensors; });
}

}  // namespace interlock::cli
