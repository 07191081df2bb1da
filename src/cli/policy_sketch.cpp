#include "cli/policy_sketch.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>

#include "base/text.h"
#include "cli/callers_file.h"
#include "decide/sketch_import.h"
#include "observe/found_cards.h"
#include "observe/host_state.h"
#include "policy/load.h"

namespace interlock::cli {
namespace {

/// One look at the host as a policy of this sketch would have it looked at.
Result<HostState> look_for(Host& host, const Sketch& sketch, bool units) {
  const auto policy = load_policy(policy_text(sketch), "first look");
  if (!policy) return fail("{}", policy.error().front().text());
  return observe::look(host, *policy, {.units = units, .samples = false});
}

std::vector<Failure> shown(const std::vector<Remark>& remarks, const std::string& file) {
  std::vector<Failure> failures;
  for (const Remark& remark : remarks) {
    Failure failure{remark.message};
    if (remark.line > 0) {
      failure.file = file;
      failure.line = remark.line;
      failure.column = 1;
    }
    failures.push_back(std::move(failure));
  }
  return failures;
}

Outcome unsound(const PolicyError& error) {
  return failed(exits::kUnreadable,
                fmt::format("what was seen makes no sound policy: {}; write one by hand after the examples",
                            error.text()));
}

std::string not_written(const std::string& output, const Error& error) {
  if (error.code == EEXIST) return fmt::format("{} is there already, and is never written over", output);
  const std::string folder = std::filesystem::path(output).parent_path().string();
  if (is_missing(error)) {
    return fmt::format("{} is not written: there is no folder {}; make it first: mkdir -p {}", output, folder,
                       folder);
  }
  return fmt::format("{} is not written: {}", output, error.message);
}

/// The policy to standard output, or to `output`.
Outcome handed_over(const decide::Sketched& drawn, const std::string& file, const std::string& output) {
  const std::string text = policy_text(drawn.sketch);
  const auto policy = load_policy(text, "the first policy");
  Outcome outcome;
  if (!policy) {
    outcome = unsound(policy.error().front());
  } else if (output.empty()) {
    outcome.text = text;
  } else if (const auto written = create_callers_file(output, text); written) {
    outcome.text = fmt::format(
        "{} is written: it guards {} and knows {}. Look it through, then: gpu-interlock --policy {} policy "
        "check\n",
        output, counted(policy->cards.size(), "card"), counted(policy->containers.size(), "container"),
        output);
  } else {
    outcome = failed(exits::kUsage, not_written(output, written.error()));
  }
  outcome.remarks = shown(drawn.remarks, file);
  outcome.json["policy"] = text;
  outcome.json["remarks"] = nlohmann::json::array();
  return outcome;
}

std::string no_card_text(const FoundCards& found) {
  std::string text = "no card that could be guarded is in this machine";
  for (const std::string& why : decide::left_out(found, {})) text += "; " + why;
  return text;
}

}  // namespace

Outcome policy_init(Context& context, const std::string& output) {
  const auto found = observe::find_cards(context.host);
  if (!found) return failed(exits::kUnreadable, found.error().message);
  std::vector<PolicyCard> cards;
  for (const decide::NamedCard& card : decide::guardable(found->cards))
    cards.push_back(decide::policy_card(card));
  if (cards.empty()) return failed(exits::kUnreadable, no_card_text(*found));
  const auto state = look_for(context.host, bare_sketch(cards), false);
  if (!state) return failed(exits::kUnreadable, state.error().message);
  return handed_over(decide::sketch_host(*found, *state), "", output);
}

Outcome policy_import(Context& context, const std::string& file) {
  const auto text = read_callers_file(file);
  if (!text) return failed(exits::kUsage, text.error().message);
  const EnvironmentFile environment = parse_environment_file(*text);
  std::vector<Remark> remarks = environment.remarks;
  const Watchdog watchdog = read_watchdog(environment, remarks);

  const auto refused = [&](const std::string& why) {
    Outcome outcome = failed(exits::kUsage, why);
    outcome.failures.front().file = file;
    outcome.remarks = shown(remarks, file);
    return outcome;
  };
  if (watchdog.cards.empty())
    return refused("it names no card, by GPU_PCI_ADDRESS or GPU_SERVICE_MAP, so there is nothing to import");

  const auto found = observe::find_cards(context.host);
  const Result<HostState> state = found ? look_for(context.host, decide::watchdog_sketch(watchdog), true)
                                        : Result<HostState>(std::unexpected(found.error()));
  decide::Sketched drawn = decide::sketch_import(watchdog, found ? *found : FoundCards{}, state, file);
  remarks.insert(remarks.end(), drawn.remarks.begin(), drawn.remarks.end());
  drawn.remarks = remarks;
  if (drawn.sketch.cards.empty())
    return refused(
        "none of the cards that it names is in this machine; `gpu-interlock policy init` takes those that "
        "are");
  return handed_over(drawn, file, "");
}

}  // namespace interlock::cli
