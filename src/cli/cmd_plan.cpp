#include <memory>

#include "cli/commands.h"
#include "cli/planning.h"

namespace interlock::cli {

void add_plan(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("plan", "What a cutover would do, and the proof that it is safe; changes nothing");
  const auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "A cutover of the policy")->required();
  at_length(
      *command,
      "Shown are what would change, the steps, the proof that every state on the way is safe, also after a "
      "power cut and a boot in the middle of it, and the conditions that do not hold. Exits 0 whenever it "
      "could tell, also where the cutover would be refused.");
  command->callback([&action, name] {
    action = [name](Context& context) -> Outcome {
      const auto policy = policy_of(context);
      if (!policy) return policy.error();
      const auto planned = plan_cutover(context, *policy, *name, false);
      return planned ? shown_plan(*planned, context.style) : planned.error();
    };
  });
}

}  // namespace interlock::cli
