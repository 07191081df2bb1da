#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/policy_on_host.h"
#include "cli/policy_sketch.h"
#include "cli/render.h"

namespace interlock::cli {
namespace {

Outcome sound(const Policy& policy) {
  Outcome outcome;
  outcome.json = {{"file", policy.file},
                  {"digest", policy.digest},
                  {"cards", nlohmann::json::array()},
                  {"containers", nlohmann::json::array()},
                  {"cutovers", nlohmann::json::array()}};
  for (const PolicyCard& card : policy.cards) outcome.json["cards"].push_back(card.id.text());
  for (const auto& [vmid, container] : policy.containers) outcome.json["containers"].push_back(vmid.number());
  for (const auto& [name, cutover] : policy.cutovers) outcome.json["cutovers"].push_back(name);
  outcome.text = fmt::format(
      "{} is sound: it guards {} and knows {} and {}.\n", policy.file, counted(policy.cards.size(), "card"),
      counted(policy.containers.size(), "container"), counted(policy.cutovers.size(), "cutover"));
  return outcome;
}

/// The policy against the host that it is for: what it names and the host does not have.
void hold_against_host(Context& context, const Policy& policy, Outcome& outcome) {
  const auto state = look(context, policy);
  if (!state) {
    outcome.exit = exits::kUnreadable;
    outcome.failures.push_back(
        {fmt::format("it could not be held against this host: {}. With --offline only its text is checked",
                     state.error().failures.front().message)});
    return;
  }
  const Audit found = policy_on_host(*state, policy);
  outcome.json.update(audit_json(found));
  if (found.clean()) {
    outcome.text += "This host has all that it names.\n";
    return;
  }
  outcome.text += findings_text(found.findings, context.style);
  for (const std::string& unknown : found.unknown)
    outcome.text += fmt::format("{} {}\n", context.style.warn("cannot tell"), printable(unknown));
  if (!found.findings.empty()) outcome.exit = exits::kProblems;
}

Outcome check(Context& context, bool offline) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  Outcome outcome = sound(*policy);
  if (!offline) hold_against_host(context, *policy, outcome);
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
  auto* checking = command->add_subcommand(
      "check", "Every error in the policy, each with its line and column, and what this host does not have");
  const auto offline = std::make_shared<bool>(false);
  checking->add_flag("--offline", *offline, "Only the policy's text: look at no host");
  at_length(*checking,
            "An error in the text exits 2. A sound policy is then held against this host: a card, a "
            "container, a unit "
            "or a sensor that is not there, another card in the slot, and a trip too close to the card's own "
            "emergency "
            "limit exit 1. A host that cannot be looked at exits 7.");
  checking->callback(
      [&action, offline] { action = [offline](Context& context) { return check(context, *offline); }; });
  command->add_subcommand("show", "The policy as it would be used")->callback([&action] { action = show; });

  auto* init = command->add_subcommand(
      "init", "A commented first policy for this host, from its cards, their limits, and what uses them now");
  const auto output = std::make_shared<std::string>();
  init->add_option("--output", *output,
                   "A file to write it to, which must not be there yet; else it is printed")
      ->type_name("FILE");
  at_length(
      *init,
      "It has the host's amdgpu cards, the containers that bind them, the services in these that use a card "
      "now, "
      "and trips 8 C below the lowest emergency limit of the cards, where the driver powers the whole host "
      "off, "
      "or 3 C below the lowest critical one. What was not read from the host is marked `ours` in a comment; "
      "what "
      "could not be read is said there and on standard error. No policy is ever written over. FILE is the "
      "caller's, as that of --policy: no root is put before it. Without a card that could be guarded it "
      "exits 7.");
  init->callback(
      [&action, output] { action = [output](Context& context) { return policy_init(context, *output); }; });

  auto* import = command->add_subcommand(
      "import", "A commented first policy from a shell watchdog's environment file, held against this host");
  const auto file = std::make_shared<std::string>();
  import->add_option("FILE", *file, "KEY=VALUE lines; nothing in it is executed")->required();
  at_length(
      *import,
      "Keys: GPU_PCI_ADDRESS, TRIP_JUNCTION_C, TRIP_MEM_C, RESUME_C, POLL_SECS, GPU_SERVICE_MAP "
      "(PCI=VMID:SERVICE, with commas between), AUTO_RESUME (which becomes `latch`) and WATCHDOG_ACTION "
      "(`poweroff` becomes `last_resort`). The file is read as systemd and a shell would take it. Each value "
      "that it does not give is marked `ours`. What could not be carried over, and what was wrong in the "
      "file, "
      "is said on standard error with its line: a card that is not in the machine, a service that is not in "
      "its "
      "container or does not run, a number that is none, a key that is not known. A file that names no card "
      "of "
      "this machine exits 2.");
  import->callback(
      [&action, file] { action = [file](Context& context) { return policy_import(context, *file); }; });
}

}  // namespace interlock::cli
