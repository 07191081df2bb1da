#include <fmt/format.h>

#include <cerrno>
#include <memory>

#include "act/latch_file.h"
#include "act/record.h"
#include "base/text.h"
#include "cli/card_alone.h"
#include "cli/commands.h"
#include "daemon/control_client.h"
#include "decide/trip.h"
#include "decide/verdict.h"

namespace interlock::cli {
namespace {

struct ResetCall {
  std::string card;
  bool force = false;
  std::string reason;
};

Outcome unchanged(const PolicyCard& card) {
  Outcome outcome;
  outcome.json = {{"card", card.id.text()}, {"result", "unchanged"}};
  outcome.text = fmt::format("{} is not latched: nothing to reset.\n", card.id.text());
  return outcome;
}

Outcome done(const PolicyCard& card, std::string_view what) {
  Outcome outcome;
  outcome.json = {{"card", card.id.text()}, {"result", "done"}};
  outcome.text =
      fmt::format("{} {}.\nNothing was started: start its unit, or run the cutover that you want.\n",
                  card.id.text(), what);
  return outcome;
}

Outcome refused(const PolicyCard& card, std::string why) {
  if (const std::string named = card.id.text() + ": "; why.starts_with(named)) why.erase(0, named.size());
  Outcome outcome = failed(exits::kRefused, fmt::format("{} stays latched: {}. When it must be all the same: "
                                                        "gpu-interlock reset {} --force --reason TEXT",
                                                        card.id.text(), why, card.id.text()));
  outcome.json = {{"card", card.id.text()}, {"result", "refused"}};
  return outcome;
}

/// Without a daemon: by one look at the card, and on the latch file itself.
Outcome reset_here(Context& context, const Policy& policy, const PolicyCard& card, const ResetCall& call) {
  if (!act::read_latch(context.host, card.pci)) return unchanged(card);
  const Card seen = card_alone(context, card);
  const auto refusal =
      decide::reset_refusal(policy.guard, decide::judge_alone(card, policy.guard, seen, context.host.now()));
  if (refusal && !call.force) return refused(card, *refusal);
  if (call.force) {
    const auto recorded = act::record(
        context.host, fmt::format("the latch of {} was forced open", card.id.text()), call.reason);
    if (!recorded) return failed(exits::kUnreadable, recorded.error().message);
  }
  const auto cleared = act::clear_latch(context.host, card.pci);
  if (!cleared) return failed(exits::kUnreadable, cleared.error().message);
  return done(card, "is no longer latched, and no guard watches it: systemctl start gpu-interlockd");
}

Outcome reset(Context& context, const ResetCall& call) {
  if (call.force && trimmed(call.reason).empty()) {
    return failed(exits::kUsage, "a forced reset needs a reason: give --reason TEXT");
  }
  const auto policy = policy_of(context, PolicyChoice::or_kept);
  if (!policy) return policy.error();
  const auto card = named_card(*policy, call.card);
  if (!card) return card.error();
  const bool was_latched = act::read_latch(context.host, card->pci).has_value();
  const auto asked = daemon::control_reset(context.globals.root, card->id.text(), call.force, call.reason);
  if (asked) return was_latched ? done(*card, "is guarded again, and may be used") : unchanged(*card);
  if (daemon::no_daemon(asked.error())) return reset_here(context, *policy, *card, call);
  if (asked.error().code == EPERM) return refused(*card, asked.error().message);
  if (asked.error().code == EACCES) {
    return failed(
        exits::kUnreadable,
        fmt::format("{} is not reset: whether the guard runs cannot be told, since its socket may not "
                    "be opened ({})",
                    card->id.text(), asked.error().message));
  }
  return failed(exits::kUnreadable, fmt::format("the guard runs and did not reset {}: {}", card->id.text(),
                                                asked.error().message));
}

}  // namespace

void add_reset(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "reset", "Let a latched card be used again; refused while it is hot or cannot be read");
  const auto call = std::make_shared<ResetCall>();
  command->add_option("CARD", call->card, "A card of the policy")->required();
  command->add_flag("--force", call->force, "Also while it is hot or cannot be read; needs --reason");
  command->add_option("--reason", call->reason, "Why it is forced; it is recorded")->type_name("TEXT");
  at_length(
      *command,
      "After a trip the card stays empty until somebody has looked. Nothing is started by a reset: start the "
      "unit, or run the cutover that you want. Works without a running guard, by one look at the card.");
  command->callback([&action, call] { action = [call](Context& context) { return reset(context, *call); }; });
}

}  // namespace interlock::cli
