#include <fmt/format.h>

#include <cerrno>
#include <memory>

#include "act/undertaking.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/planning.h"
#include "cli/recording_host.h"
#include "cli/snapshot.h"
#include "host/paths.h"
#include "observe/found_cards.h"
#include "observe/gate_places.h"
#include "policy/load.h"
#include "policy/sketch.h"

namespace interlock::cli {
namespace {

/// The policy, its kept copy, or where there is no sound one the cards of this host with any limits.
Result<Policy> policy_or_cards(Context& context) {
  if (auto policy = policy_of(context, PolicyChoice::or_kept)) return *policy;
  std::vector<PolicyCard> cards;
  for (const FoundCard& card : TRY(observe::find_cards(context.host)).cards)
    cards.push_back({.id = card_name_at(cards.size()), .pci = card.pci, .unique_id = std::nullopt});
  auto policy = load_policy(policy_text(bare_sketch(cards)), "first look");
  if (!policy) return fail("there is neither a policy nor a card to look for");
  return *std::move(policy);
}

/// Those that have a card, may have one, or are tasks of Proxmox.
std::set<Pid> processes_of_interest(const HostState& state, const Taken& taken) {
  std::set<Pid> kept;
  for (const Card& card : state.cards) {
    for (const Holder& holder : card.holders) kept.insert(holder.process.pid);
  }
  for (const UnknownHolder& holder : state.unknown_holders) kept.insert(holder.pid);
  for (const auto& [path, file] : taken.files) {
    if (!path.ends_with("/cmdline") || !file.content.starts_with("task UPID:")) continue;
    if (const auto pid = parse_number<Pid>(std::string_view(path).substr(6, path.rfind('/') - 6)))
      kept.insert(*pid);
  }
  return kept;
}

/// The newest records of cutovers are enough for a report.
void drop_old_journals(Taken& taken) {
  constexpr std::size_t kKept = 5;
  std::vector<std::string> journals;
  for (const auto& [path, file] : taken.files) {
    if (path.starts_with(paths::kCutovers) && path.ends_with(".journal")) journals.push_back(path);
  }
  for (std::size_t at = 0; at + kKept < journals.size(); ++at) taken.files.erase(journals[at]);
}

Outcome told(const Snapshot& made, const std::string& folder) {
  Outcome outcome;
  outcome.json = {{"folder", folder}, {"files", made.taken.files.size()}, {"left_out", made.left_out}};
  outcome.text = fmt::format(
      "{} is written: {} of this host, with names and addresses made neutral.\n"
      "Look through etc/gpu-interlock/policy.yaml and etc/pve in it before you give it away: paths and "
      "commands stand "
      "there as you wrote them.\n"
      "To see what it shows: gpu-interlock --root {} audit. To pack it: tar -czf {}.tar.gz {}\n",
      folder, counted(made.taken.files.size(), "file"), folder, folder, folder);
  for (const std::string& one : made.left_out) outcome.remarks.push_back({"not in it: " + one});
  return outcome;
}

Outcome snapshot(Context& context, const std::string& folder) {
  RecordingHost recorder(context.host);
  Context recorded{.globals = context.globals, .host = recorder};
  const auto policy = policy_or_cards(recorded);
  if (!policy) return failed(exits::kUnreadable, policy.error().message);
  if (!context.globals.policy.empty()) recorder.put(paths::kPolicy, policy->text);
  auto state = look(recorded, *policy, {.second_opinion = true});
  if (!state) return state.error();
  static_cast<void>(recorder.read_file(paths::kKeptPolicy));  // there or not, it is noted
  static_cast<void>(act::no_pct(recorder));                   // as above
  static_cast<void>(observe::gate_places(recorder));          // as above
  for (const auto& [name, cutover] : policy->cutovers)
    static_cast<void>(plan_cutover(recorded, *policy, name, false));  // for what it asks on its way

  Taken taken = recorder.taken();
  taken.now_ns = to_ns(context.host.now());
  taken.wall_clock = context.host.wall_clock();
  drop_old_journals(taken);
  Neutral neutral(state->node);
  for (const Card& card : state->cards) {
    if (card.unique_id) neutral.hide_id(*card.unique_id);
  }
  for (const PolicyCard& card : policy->cards) {
    if (card.unique_id) neutral.hide_id(*card.unique_id);
  }
  const Snapshot made = neutral_snapshot(taken, processes_of_interest(*state, taken), neutral, {});
  if (const auto written = write_snapshot(made, folder); !written) {
    return failed(exits::kUsage, written.error().code == EEXIST
                                     ? fmt::format("{} is there already, and is never written into", folder)
                                     : written.error().message);
  }
  return told(made, folder);
}

}  // namespace

void add_snapshot(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "snapshot",
      "What a bug report needs of this host, in a folder that --root takes, with names made neutral");
  const auto folder = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "A folder to make; it must not be there yet")->required();
  at_length(
      *command,
      "Everything that status, audit and plan read is in it: the part of /sys and /proc that is about cards "
      "and "
      "containers, configurations, the policy, what gpu-interlock itself keeps, and what commands answered. "
      "`gpu-interlock --root DIR audit` then finds what the host's own audit finds; nothing can be changed "
      "in it, and "
      "no command of it is run.\n\n"
      "Made neutral, each always in the same way: the host's and containers' names, IP and hardware "
      "addresses, "
      "unique ids of cards, users, mail addresses; comments, tags and environment of containers are taken "
      "out, and "
      "of virtual machines everything but hostpci and onboot. Paths, units, and commands of the policy stay: "
      "look "
      "it through. What could not be read, and what found no room (1 MiB a file, 16 MiB in all), is said.");
  command->callback(
      [&action, folder] { action = [folder](Context& context) { return snapshot(context, *folder); }; });
}

}  // namespace interlock::cli
