#include <fmt/format.h>

#include <memory>

#include "act/cutover.h"
#include "act/journal.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/cutover_outcome.h"
#include "host/paths.h"

namespace interlock::cli {
namespace {

struct RecoverCall {
  bool back = false;
  bool forward = false;
  bool status = false;
  bool yes = false;
  bool accept = false;
  bool boot = false;
  std::string reason;
};

struct Open {
  JournalReading journal;
  bool attended = false;
};

/// The cutover that has not ended; nothing: none is open.
Or<std::optional<Open>> open_cutover(Context& context) {
  auto journal = act::open_journal(context.host);
  if (!journal) return std::unexpected(failed(exits::kUnreadable, journal.error().message));
  if (!*journal) return std::nullopt;
  const auto attended = context.host.is_locked(paths::kCutoverLock);
  if (!attended) return std::unexpected(failed(exits::kUnreadable, attended.error().message));
  return Open{**std::move(journal), *attended};
}

Outcome nothing_open() {
  Outcome outcome;
  outcome.json = {{"result", "unchanged"}, {"cutover", nullptr}};
  outcome.text = "No cutover is open.\n";
  return outcome;
}

Outcome status(Context& context) {
  const auto open = open_cutover(context);
  if (!open) return open.error();
  if (!*open) return nothing_open();
  const auto& [journal, attended] = **open;
  Outcome outcome;
  outcome.json = {{"result", "unchanged"},
                  {"cutover",
                   {{"id", journal.id},
                    {"name", journal.name()},
                    {"state", attended ? "running" : "interrupted"},
                    {"damage", journal.damage}}}};
  outcome.text =
      attended ? fmt::format("{} is at work ({}).\n", printable(journal.name()), journal.id)
               : fmt::format(
                     "{} was interrupted ({}). Go back to where it began: gpu-interlock recover. Finish it: "
                     "gpu-interlock recover --forward\n",
                     printable(journal.name()), journal.id);
  if (!journal.damage.empty()) outcome.text += "Its journal is damaged: " + printable(journal.damage) + "\n";
  return outcome;
}

Outcome recover(Context& context, const RecoverCall& call) {
  const auto open = open_cutover(context);
  if (!open) return open.error();
  if (!*open) return nothing_open();
  const auto& [journal, attended] = **open;
  if (attended)
    return failed(exits::kBusy, fmt::format("{} is still at work ({}): gpu-interlock status shows it",
                                            printable(journal.name()), journal.id));
  const auto direction = call.forward ? act::Direction::forward : act::Direction::back;
  if (context.interactive && !call.yes &&
      !context.confirm(fmt::format("{} was interrupted. {} now?", printable(journal.name()),
                                   call.forward ? "Finish it" : "Go back to where it began"))) {
    return failed(exits::kRefused, "the recovery was not agreed to; nothing was touched");
  }
  act::CutoverOptions options;
  if (context.heed_signals) options.told_to_stop = context.heed_signals();
  const auto report = act::recover(context.host, direction, options, live_progress(context));
  return outcome_of(report, fmt::format("Recovery of {}", journal.name()), context);
}

/// Before any guest starts: takes back what the host might otherwise start with.
Outcome at_boot(Context& context) {
  return outcome_of(act::recover_at_boot(context.host, live_progress(context)), "Recovery at boot", context);
}

Outcome accept(Context& context, const std::string& reason) {
  if (trimmed(reason).empty())
    return failed(exits::kUsage, "an accepted cutover needs a reason: give --reason TEXT");
  const auto policy = policy_of(context, PolicyChoice::or_kept);
  if (!policy) return policy.error();
  return outcome_of(act::accept_as_is(context.host, *policy, reason), "The host as it is now", context);
}

Outcome chosen(Context& context, const RecoverCall& call) {
  if (call.status) return status(context);
  if (call.boot) return at_boot(context);
  return call.accept ? accept(context, call.reason) : recover(context, call);
}

}  // namespace

void add_recover(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "recover", "Finish a cutover that was interrupted: back to where it began, by default");
  const auto call = std::make_shared<RecoverCall>();
  // One of them at a time.
  auto* how = command->add_option_group("how");
  how->add_flag("--back", call->back, "Back to where it began (the default)");
  how->add_flag("--forward", call->forward, "On to what it was to reach");
  how->add_flag("--status", call->status, "Only say whether one is open");
  how->add_flag("--accept", call->accept, "Close it with the host as it is now; needs --reason");
  how->add_flag("--boot", call->boot,
                "What the host does before it starts any guest: take back, start nothing");
  how->require_option(0, 1);
  command->add_flag("--yes", call->yes, "Do not ask");
  command->add_option("--reason", call->reason, "Why it is accepted; it is recorded")->type_name("TEXT");
  at_length(*command,
            "On a terminal it asks first; elsewhere it begins at once, also without --yes. Back needs no "
            "guard. Forward goes on to the target, under the same conditions as the cutover. "
            "--accept is "
            "for a cutover that nobody can finish: the host as it is now must be safe, the ledger is written "
            "from what "
            "is bound, and the journal need not even be readable.");
  command->callback(
      [&action, call] { action = [call](Context& context) { return chosen(context, *call); }; });
}

}  // namespace interlock::cli
