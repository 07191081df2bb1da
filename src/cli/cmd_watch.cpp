#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "act/undertaking.h"
#include "cli/commands.h"
#include "cli/render.h"
#include "cli/render_watch.h"
#include "cli/screen.h"
#include "decide/findings.h"
#include "observe/own_state.h"
#include "observe/sensors.h"
#include "policy/quantity.h"

namespace interlock::cli {
namespace {

struct WatchCall {
  std::string interval = "2s";
  int count = 0;  // 0: until it is ended
};

/// Units and holders cost: they are looked for this often, temperatures and states at each look.
constexpr Duration kBetweenWholeLooks = std::chrono::seconds(10);

class Watcher {
 public:
  Watcher(Context& context, Policy policy) : context_(context), policy_(std::move(policy)) {}

  /// A fresh state, or why there is none.
  Or<HostState> look() {
    const Instant now = context_.host.now();
    if (!whole_ || now - whole_->taken_at >= kBetweenWholeLooks || guard_moved(now)) {
      // A guard that watches has read the sensors just now; a second reader only disturbs the card.
      const bool guarded = whole_ && fresh_guard(now).fresh;
      auto state = cli::look(context_, policy_, {.samples = !guarded});
      if (!state) return std::unexpected(state.error());
      whole_ = *std::move(state);
      if (guarded && !whole_->guard.fresh) take_samples(*whole_);
      return *whole_;
    }
    HostState state = *whole_;
    state.taken_at = now;
    state.guard = fresh_guard(now);
    state.latches.clear();
    observe::read_latches(context_.host, policy_, state);
    if (!state.guard.fresh) {
      take_samples(state);
      state.taken_at = context_.host.now();
    }
    return state;
  }
  const Policy& policy() const { return policy_; }

 private:
  GuardReport fresh_guard(Instant now) const {
    HostState seen;
    seen.taken_at = now;
    seen.boot_id = whole_->boot_id;
    observe::read_guard(context_.host, seen);
    return seen.guard;
  }
  /// A trip, a cutover and the like: who holds what is another matter now.
  bool guard_moved(Instant now) const { return fresh_guard(now).states != whole_->guard.states; }
  void take_samples(HostState& state) {
    for (Card& card : state.cards) card.sample = observe::sample_card_apart(context_.host, card.pci);
  }

  Context& context_;
  Policy policy_;
  std::optional<HostState> whole_;
};

Outcome live(Context& context, Watcher& watcher, Duration interval) {
  const auto screen = Screen::open(context.interactive);
  if (!screen) return failed(exits::kUnreadable, screen.error().message);
  WatchHistory history;
  for (;;) {
    const auto state = watcher.look();
    const std::string foot =
        fmt::format("{}   every {}   q ends", context.host.wall_clock(), interlock::duration_text(interval));
    if (state) history.add(card_statuses(*state, watcher.policy()));
    const Audit audit = state ? decide::audit(*state, watcher.policy()) : Audit{};
    const Instant next = context.host.now() + interval;
    for (auto event = Screen::Event::resized; event == Screen::Event::resized;) {
      const ScreenForm form = (*screen)->form();
      if (state) {
        (*screen)->show(watch_lines({*state, watcher.policy(), audit, history, foot}, form, context.style));
      } else {
        (*screen)->show(
            {clipped(state.error().failures.front().message + "; it is asked again", form.columns), foot});
      }
      event = (*screen)->wait(std::max(next - context.host.now(), Duration::zero()));
      if (event == Screen::Event::quit) return {};
    }
  }
}

/// Into a file or a pipe: what `status` says, again and again.
Outcome plain(Context& context, Watcher& watcher, Duration interval, int count) {
  for (int told = 1;; ++told) {
    const auto state = watcher.look();
    if (!state) return state.error();
    const Audit audit = decide::audit(*state, watcher.policy());
    *context.out << context.host.wall_clock() << '\n'
                 << status_text(*state, watcher.policy(), audit, context.style) << std::endl;
    if (!context.out->good() || told == count) return {};
    context.host.wait(interval);
  }
}

Outcome watch(Context& context, const WatchCall& call) {
  const auto policy = policy_of(context);
  if (!policy) return policy.error();
  const auto interval = parse_duration(call.interval);
  if (!interval || *interval < std::chrono::milliseconds(200) || *interval > std::chrono::hours(1)) {
    return failed(exits::kUsage,
                  fmt::format("--interval {} cannot be; from 200ms to 1h can, as in 2s", call.interval));
  }
  Watcher watcher(context, *policy);
  if (context.globals.json) {  // one object: a program asks again itself
    const auto state = watcher.look();
    if (!state) return state.error();
    Outcome outcome;
    outcome.json = status_json(*state, *policy, decide::audit(*state, *policy));
    return outcome;
  }
  if (context.terminal && call.count == 0) return live(context, watcher, *interval);
  return plain(context, watcher, *interval, call.count);
}

}  // namespace

void add_watch(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "watch", "`status`, live: each card's state and temperature, with curves, until q or Ctrl-C");
  const auto call = std::make_shared<WatchCall>();
  command->add_option("--interval", call->interval, "Time between two looks, as in 500ms or 2s (the default)")
      ->type_name("TIME");
  command->add_option("--count", call->count, "Print so many looks as text, and end")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000).description(""));
  at_length(
      *command,
      "While the guard watches, what it sees is shown, and no card is read a second time; without it the "
      "sensors "
      "are. Units and holders are looked for every 10 s, and at once when a card changes its state. Lines in "
      "a "
      "curve are `warn` and `trip`; a question mark at its foot is a time when nothing could be believed.\n\n"
      "Where standard output is no terminal, the text of `gpu-interlock status` is printed at each interval, "
      "after "
      "a line with the time, until it is ended or --count is reached. With --json it is one look.");
  command->callback([&action, call] { action = [call](Context& context) { return watch(context, *call); }; });
}

}  // namespace interlock::cli
