#include "act/undertaking.h"
#include "cli/commands.h"
#include "cli/render.h"
#include "decide/findings.h"
#include "observe/engine_share.h"

namespace interlock::cli {
namespace {

constexpr Duration kBetweenLooks = std::chrono::milliseconds(100);  // a person does not notice it

Outcome status(Context& context) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  auto state = look(context, *policy);
  if (!state) return state.error();
  observe::measure_engines(context.host, observe::card_nodes(context.host), state->cards, kBetweenLooks);
  const Audit audit = decide::audit(*state, *policy);

  Outcome outcome;
  outcome.json = status_json(*state, *policy, audit);
  outcome.text = status_text(*state, *policy, audit, context.style);
  if (auto why = act::no_pct(context.host)) {
    // What could be seen is shown all the same: temperatures need no Proxmox.
    outcome.exit = exits::kUnreadable;
    outcome.failures.push_back({*std::move(why)});
  }
  return outcome;
}

}  // namespace

void add_status(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "status",
      "Each card's temperature, state and user, and each container's cards, now and at the next boot");
  at_length(*command,
            "What is wrong stands first. Temperatures and states are the guard's while it watches, else "
            "those of one "
            "look at the sensors. Exits 0 whenever it could tell, whatever it has to tell.");
  command->callback([&action] { action = status; });
}

}  // namespace interlock::cli
