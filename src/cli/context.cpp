#include "cli/context.h"

#include <fmt/format.h>

#include "cli/callers_file.h"
#include "host/paths.h"
#include "policy/load.h"

namespace interlock::cli {
namespace {

/// The policy's path as the caller would open it.
std::string shown_path(const Globals& globals) {
  if (!globals.policy.empty()) return globals.policy;
  if (globals.root.empty() || globals.root == "/") return paths::kPolicy;
  return globals.root + paths::kPolicy;
}

Result<std::string> policy_text(Context& context) {
  if (context.globals.policy.empty()) return context.host.read_file(paths::kPolicy);
  return read_callers_file(context.globals.policy);
}

Outcome policy_failure(const std::vector<PolicyError>& errors) {
  Outcome outcome;
  outcome.exit = exits::kUsage;
  for (const PolicyError& error : errors) {
    outcome.failures.push_back({error.message, error.file, error.line, error.column});
  }
  return outcome;
}

Or<Policy> current_policy(Context& context) {
  const std::string file = shown_path(context.globals);
  const auto text = policy_text(context);
  if (!text) {
    Outcome outcome = failed(
        exits::kUsage,
        !is_missing(text.error()) ? text.error().message
        : !context.globals.policy.empty()
            ? "there is no such file; --policy names it"
            : "there is no policy; draw up a first one with gpu-interlock policy init, or name one with "
              "--policy FILE");
    outcome.failures.front().file = file;
    return std::unexpected(outcome);
  }
  auto policy = load_policy(*text, file);
  if (!policy) return std::unexpected(policy_failure(policy.error()));
  return *policy;
}

}  // namespace

Or<Policy> policy_of(Context& context, PolicyChoice choice) {
  auto policy = current_policy(context);
  if (policy || choice == PolicyChoice::current || !context.globals.policy.empty()) return policy;
  const auto kept = context.host.read_file(paths::kKeptPolicy);
  if (!kept) return policy;  // the error in the current one is what must be mended
  auto last_good = load_policy(*kept, paths::kKeptPolicy);
  if (!last_good) return policy;
  return *last_good;
}

Or<HostState> look(Context& context, const Policy& policy, const observe::LookFor& wanted) {
  auto state = observe::look(context.host, policy, wanted);
  if (!state) return std::unexpected(failed(exits::kUnreadable, state.error().message));
  return *state;
}

}  // namespace interlock::cli
