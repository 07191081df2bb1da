// How a card's load is taken off: the first rung from what was seen before, the ladder in a worker, and what
// is left to do when nobody can be seen.
#include <fmt/format.h>

#include <algorithm>

#include "daemon/card_watch.h"

namespace interlock::daemon {
namespace {

using namespace std::chrono_literals;

/// A ladder that did not get the card empty begins anew after this, or at once for a newcomer.
constexpr Duration kRetry = 5s;
constexpr Duration kNoProgress = 5s;  // a look takes well below a second, also on a busy host

std::set<ProcessId> processes_of(const std::vector<decide::ShedTarget>& targets) {
  std::set<ProcessId> processes;
  for (const auto& target : targets) processes.insert(target.processes.begin(), target.processes.end());
  return processes;
}

}  // namespace

bool CardWatch::may_shed(const std::vector<decide::ShedTarget>& targets, Instant now) const {
  const auto ended = worker_.ended_at();
  const HolderView& view = around_.holders.view();
  // What was seen before the ladder's end may be what the ladder took down.
  if (ended && view.known(now) && !view.all_seen_since(*ended)) return false;
  if (now >= retry_at_) return true;
  return std::ranges::any_of(processes_of(targets),
                             [this](const ProcessId& process) { return !last_seen_.contains(process); });
}

void CardWatch::shed(bool first, Instant now) {
  if (worker_.busy()) return;  // the ladder looks for newcomers by itself
  const auto targets = around_.holders.view().targets(guard_.card.pci);
  if (!first && !may_shed(targets, now)) return;
  act::freeze_now(around_.host, guard_.card.pci, targets);
  if (first) timing_ = {guard_.belief.sampled_at.value_or(now), now, around_.loop.now()};

  if (!first && worker_.ended_at() && worker_.left_it_empty()) refills_.add(now);
  last_seen_ = processes_of(targets);
  begin_worker({.policy = around_.policy,
                .card = guard_.card,
                .from = refills_.too_many(now) ? act::Rung::stop_container : act::Rung::freeze,
                .at_begin = guard_.celsius()},
               now);
  remember(targets);
}

void CardWatch::begin_worker(const ShedOrder& order, Instant now) {
  ++sheds_;
  const auto begun = worker_.begin(order);
  if (begun) return;
  retry_at_ = now + kRetry;
  around_.teller.tell(
      event(EventKind::not_shed, "no shed worker could be started: " + begun.error().message));
}

void CardWatch::remember(const std::vector<decide::ShedTarget>& targets) {
  for (const auto& target : targets) {
    if (target.unit && target.kind == decide::ShedTarget::Kind::unit) {
      shed_.insert(
          fmt::format("{}/{}", target.container ? target.container->text() : "host", target.unit->text()));
    }
  }
}

void CardWatch::shed_ended(bool empty, const std::string& trouble) {
  retry_at_ = around_.loop.now() + kRetry;
  around_.holders.look_at_all_now();
  if (!trouble.empty()) {
    around_.teller.tell(event(EventKind::not_shed, "its shed worker: " + trouble));
  } else if (empty) {
    around_.teller.tell(event(EventKind::shed, "nobody has it open any more"));
  } else {
    around_.teller.tell(event(EventKind::not_shed, "the ladder is at its end, and the card is still held"));
  }
}

void CardWatch::shed_unseen(std::vector<decide::ShedTarget> last_seen, Instant now) {
  act::Unseen unseen{.last_seen = std::move(last_seen),
                     .containers = around_.holders.view().binding(guard_.card.pci)};
  for (const auto& target : unseen.last_seen) {
    if (target.container) unseen.containers.insert(*target.container);
  }
  begin_worker({.policy = around_.policy, .card = guard_.card, .unseen = std::move(unseen)}, now);
}

/// A worker that looks for holders hangs where our own looks hang: behind the card. Then what was seen before
/// is shed.
void CardWatch::look_after_worker(Instant now) {
  if (!worker_.busy() || worker_.unseen() || around_.holders.trouble().empty()) return;
  if (now - worker_.heard_at() < kNoProgress) return;
  worker_.abandon();
  around_.teller.tell(
      event(EventKind::shedding, "its holders cannot be looked for; those seen before are shed"));
  shed_unseen(around_.holders.view().targets(guard_.card.pci), now);
}

void CardWatch::look_for_heat_alone(Instant now) {
  const bool alone = guard_.trip.latched && !held_ && !worker_.busy();
  const auto due = heat_alone_.look(around_.policy.guard, guard_.verdicts(), alone, now);
  if (due.alarm) {
    around_.teller.tell(
        event(EventKind::hot_without_holder, "it is at its trip, and nobody is seen to use it"));
  }
  if (due.containers && !around_.holders.view().binding(guard_.card.pci).empty()) shed_unseen({}, now);
}

}  // namespace interlock::daemon
