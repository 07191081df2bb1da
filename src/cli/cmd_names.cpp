#include <memory>

#include "act/journal.h"
#include "cli/commands.h"
#include "cli/refusals.h"
#include "decide/finding_codes.h"

namespace interlock::cli {
namespace {

using Names = std::vector<std::string>;

Names of_policy(Context& context, const std::string& kind) {
  Names names;
  const auto policy = policy_of(context, PolicyChoice::or_kept);
  if (!policy) return names;
  if (kind == "cards") {
    for (const PolicyCard& card : policy->cards) names.push_back(card.id.text());
  } else if (kind == "containers") {
    for (const auto& [vmid, container] : policy->containers) names.push_back(vmid.text());
  } else {
    for (const auto& [name, cutover] : policy->cutovers) names.push_back(name);
  }
  return names;
}

Names of_codes() {
  Names names;
  for (const auto& code : decide::finding_codes()) names.emplace_back(code.code);
  for (const Refusal& refusal : refusals()) {
    if (decide::find_code(refusal.code) == nullptr) names.emplace_back(refusal.code);
  }
  return names;
}

/// Somebody is in the middle of a line: what cannot be told is not offered, and nothing is complained of.
Outcome names(Context& context, const std::string& kind) {
  const Names found = kind == "codes"     ? of_codes()
                      : kind == "history" ? act::journal_ids(context.host).value_or(Names{})
                                          : of_policy(context, kind);
  Outcome outcome;
  outcome.json["names"] = found;
  for (const std::string& name : found) outcome.text += name + "\n";
  return outcome;
}

}  // namespace

void add_names(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("names", "What a shell completes with");
  command->group("");  // not shown
  const auto kind = std::make_shared<std::string>();
  command->add_option("KIND", *kind)
      ->required()
      ->check(CLI::IsMember({"cards", "containers", "cutovers", "codes", "history"}));
  command->callback([&action, kind] { action = [kind](Context& context) { return names(context, *kind); }; });
}

}  // namespace interlock::cli
