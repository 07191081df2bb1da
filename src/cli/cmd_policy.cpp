#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/policy_sketch.h"

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
  auto* command = app.add_subcommand("policy", "Check or show the policy, or draw up a first one");
  command->require_subcommand(1);
  command->add_subcommand("check", "Every error in the policy, each with its line and column")
      ->callback([&action] { action = check; });
  command->add_subcommand("show", "The policy as it would be used")->callback([&action] { action = show; });

  auto* init = command->add_subcommand(
      "init", "A commented first policy for this host, from its cards, their limits, and what uses them now");
  const auto output = std::make_shared<std::string>();
  init->add_option("--output", *output,
                   "A file to write it to, which must not be there yet; else it is printed")
      ->type_name("FILE");
  init->callback(
      [&action, output] { action = [output](Context& context) { return policy_init(context, *output); }; });

  auto* import = command->add_subcommand(
      "import", "A commented first policy from a shell watchdog's environment file, held against this host");
  const auto file = std::make_shared<std::string>();
  import->add_option("FILE", *file, "KEY=VALUE lines; nothing in it is executed")->required();
  import->callback(
      [&action, file] { action = [file](Context& context) { return policy_import(context, *file); }; });
}

}  // namespace interlock::cli
