#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"

namespace interlock::cli {
namespace {

Outcome check(Context& context) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  Outcome outcome;
  outcome.json = {{"file", policy->file},
                  {"digest", policy->digest},
                  {"cards", nlohmann::json::array()},
                  {"containers", nlohmann::json::array()},
                  {"cutovers", nlohmann::json::array()}};
  for (const PolicyCard& card : policy->cards) outcome.json["cards"].push_back(card.id.text());
  for (const auto& [vmid, container] : policy->containers)
    outcome.json["containers"].push_back(vmid.number());
  for (const auto& [name, cutover] : policy->cutovers) outcome.json["cutovers"].push_back(name);
  outcome.text = fmt::format(
      "{} is sound: it guards {} and knows {} and {}.\n", policy->file, counted(policy->cards.size(), "card"),
      counted(policy->containers.size(), "container"), counted(policy->cutovers.size(), "cutover"));
  return outcome;
}

Outcome show(Context& context) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  Outcome outcome;
  outcome.json = {{"file", policy->file}, {"digest", policy->digest}, {"text", policy->text}};
  outcome.text = policy->text;
  return outcome;
}

}  // namespace

void add_policy(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("policy", "Check or show the policy");
  command->require_subcommand(1);
  command->add_subcommand("check", "Every error in the policy, each with its line and column")
      ->callback([&action] { action = check; });
  command->add_subcommand("show", "The policy as it would be used")->callback([&action] { action = show; });
}

}  // namespace interlock::cli
