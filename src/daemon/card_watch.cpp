#include "daemon/card_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "daemon/control_server.h"

namespace interlock::daemon {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLatchRetry = 10s;
constexpr Duration kGlitch = 1s;

}  // namespace

CardWatch::CardWatch(Surroundings& around, PolicyCard card, const std::optional<Latch>& latch,
                     const KeptTrip* kept)
    : around_(around),
      guard_(std::move(card)),
      reader_(
          around.loop, around.left_behind, around.readers, guard_.card.pci,
          [this] { guard_.asked(around_.loop.now()); },
          [this](CardSample sample) { take_sample(std::move(sample)); },
          [this](const std::string& why) { take_miss(why); }),
      worker_(
          around.loop, around.left_behind, around.root, guard_.card.id,
          [this](const act::ShedEvent& shed) {
            Event told = event(EventKind::shedding, fmt::format("{}: {}", shed.subject, shed.text));
            told.rung = act::to_string(shed.rung);
            around_.teller.tell(told);
            if (around_.control == nullptr) return;
            around_.control->emit(
                ShedSignal{guard_.card.id.text(), told.rung, shed.subject, shed.text, shed.empty});
          },
          [this](bool empty, const std::string& trouble) { shed_ended(empty, trouble); }),
      restarter_(
          around.loop, around.left_behind, around.root,
          [this](const std::string& sentence) { around_.teller.tell(event(EventKind::resumed, sentence)); }),
      latch_(around.loop, around.left_behind, around.root, guard_.card.pci),
      judge_(around.loop.timer([this] { judge(); })) {
  if (kept != nullptr) {
    guard_.trip = kept->memory;
    shed_ = {kept->shed.begin(), kept->shed.end()};
  }
  guard_.trip.latched = latch.has_value();
  if (!latch) return;
  guard_.trip.state = GuardState::latched;
  guard_.trip.reason = latch->reason;
  guard_.trip.why = latch->why;
}

void CardWatch::begin() {
  reader_.ask_at(around_.loop.now());
  if (guard_.trip.latched) {
    around_.teller.tell(event(EventKind::latched, "it was latched before this start: " + guard_.trip.why));
  }
}

void CardWatch::look_again() {
  const Instant now = around_.loop.now();
  guard_.hurry(now);
  reader_.ask_at(now);
}

void CardWatch::take_sample(CardSample sample) {
  guard_.answered(std::move(sample));
  heard_ = true;
  told_missed_ = false;
  judge();
}

void CardWatch::take_miss(const std::string& why) {
  guard_.missed(why);
  heard_ = true;
  judge();
  if (std::exchange(told_missed_, true)) return;
  around_.teller.tell(event(EventKind::reader_replaced, why));
}

void CardWatch::judge() {
  // Before the first sample and the first look at holders, there is nothing to judge by.
  if (!heard_ || !around_.holders.tried()) return;
  const Instant now = around_.loop.now();
  const HolderView& view = around_.holders.view();
  const bool judged_before = guard_.judged_at().has_value();
  if (judged_before) lateness_ = std::max(lateness_, now - guard_.judge_by());
  const decide::Use use = view.use(guard_.card.pci, now);
  held_ = use.held;
  const auto output = guard_.judge(around_.policy.guard, use, view.may_sleep(guard_.card.pci), now);
  if (output.trip || output.shed) shed(output.trip, now);
  if (output.trip) {
    ++trips_;
    restarter_.abandon();
    write_latch();
    tell_trip();
  }
  if (output.cool) {
    const auto commands = around_.policy.guard.cool.find(guard_.card.id);
    if (commands != around_.policy.guard.cool.end()) {
      around_.teller.run(commands->second, event(EventKind::warning, guard_.reason()));
    }
  }
  if (output.resume) resume();
  fast_ = output.poll_fast;
  if (guard_.lent() && !reader_.awaiting()) reader_.rest();
  reader_.ask_at(guard_.next_ask());
  judge_.at(guard_.judge_by());
  tell_changes(now);
  around_.judged();
}

void CardWatch::write_latch() {
  latch_again_at_.reset();
  const Latch latch{.reason = latched_for(),
                    .why = guard_.trip.why,
                    .tripped = around_.host.wall_clock(),
                    .damaged = false};
  latch_.set(latch, [this](const Result<void>& written) {
    if (written) {
      around_.teller.tell(event(EventKind::latched, "its latch is on disk, and outlives a restart"));
      if (around_.control == nullptr) return;
      return around_.control->emit(
          LatchedSignal{guard_.card.id.text(), std::string(to_string(latched_for()))});
    }
    latch_again_at_ = around_.loop.now() + kLatchRetry;
    around_.teller.tell(
        event(EventKind::latch_not_written,
              fmt::format("its latch would not outlive a restart: {}", written.error().message)));
  });
}

void CardWatch::resume() {
  latch_.clear({}, {}, [this](const Result<void>& cleared) {
    if (!cleared) {
      return around_.teller.tell(
          event(EventKind::trouble, "its latch file stays: " + cleared.error().message));
    }
    around_.teller.tell(event(EventKind::resumed, "it is cool again, and no longer latched"));
    if (!guard_.trip.latched) restarter_.begin(std::exchange(shed_, {}), around_.policy.timing);
  });
}

void CardWatch::reset(bool force, const std::string& reason, const ControlMethods::Reply& reply) {
  const std::string name = guard_.card.id.text();
  if (!guard_.trip.latched) return reply({});
  if (worker_.busy()) return reply(fail("{} is being shed; wait until that has ended", name));
  const auto refusal = decide::reset_refusal(around_.policy.guard, guard_.verdicts());
  if (refusal && !force) return reply(fail("{}: {}", name, *refusal));
  if (force && reason.empty()) return reply(fail("a forced reset needs a reason, which is recorded"));
  latch_.clear(fmt::format("reset of {} ({}){}", name, guard_.card.pci.text(), force ? ", forced" : ""),
               reason, [this, force, reason, reply](const Result<void>& cleared) {
                 if (!cleared) return reply(cleared);
                 decide::unlatch(guard_.trip);
                 refills_ = {};
                 shed_.clear();
                 const std::string why = reason.empty() ? std::string() : ": " + reason;
                 around_.teller.tell(event(
                     EventKind::reset, fmt::format("no longer latched{}{}", force ? ", by force" : "", why)));
                 judge();
                 reply({});
               });
}

TripReason CardWatch::latched_for() const {
  return guard_.trip.reason.value_or(TripReason::blind);
}

Event CardWatch::event(EventKind kind, std::string message) const {
  Event event{.kind = kind, .message = std::move(message), .card = guard_.card.id, .pci = guard_.card.pci};
  if (guard_.trip.latched) event.reason = to_string(latched_for());
  event.celsius = guard_.hottest();
  return event;
}

void CardWatch::tell_trip() {
  Event told = event(EventKind::tripped, guard_.trip.why);
  told.rung = act::to_string(act::Rung::freeze);
  if (timing_) {
    told.sample_at = timing_->sample_at;
    told.judged_at = timing_->judged_at;
    told.first_rung_at = timing_->first_rung_at;
    told.message += fmt::format("; first rung {} us after the verdict, {} us after the sample",
                                (timing_->first_rung_at - timing_->judged_at) / 1us,
                                (timing_->first_rung_at - timing_->sample_at) / 1us);
  }
  around_.teller.tell(told);
  if (around_.control == nullptr) return;
  around_.control->emit(
      TrippedSignal{guard_.card.id.text(), std::string(to_string(latched_for())), guard_.trip.why});
}

/// Each state once; a blindness that a next sample ends is a glitch, and not told.
void CardWatch::tell_changes(Instant now) {
  const GuardState state = guard_.state();
  if (state != GuardState::blind) blind_since_.reset();
  if (state == told_) return;
  if (state == GuardState::blind) {
    if (!blind_since_) blind_since_ = now;
    if (now - *blind_since_ < kGlitch) return;
  }
  const auto before = std::exchange(told_, state);
  switch (state) {
    case GuardState::guarding:
      return around_.teller.tell(event(EventKind::guarding, "every channel is believed, and below `warn`"));
    case GuardState::warning:
      return around_.teller.tell(event(EventKind::warning, guard_.reason()));
    case GuardState::blind:
      return around_.teller.tell(event(EventKind::blind, guard_.reason()));
    case GuardState::absent:
      return around_.teller.tell(event(EventKind::absent, guard_.reason()));
    case GuardState::lent:
      return around_.teller.tell(event(EventKind::lent, guard_.reason()));
    case GuardState::tripped:
      if (before != GuardState::latched) return;  // that was a trip, and told
      return around_.teller.tell(event(EventKind::shedding, "somebody took it while it is latched"));
    case GuardState::latched:
      return;  // told with the ladder's end
  }
}

void CardWatch::tick(Instant now) {
  if (guard_.trip.latched && latch_again_at_ && now >= *latch_again_at_) write_latch();
  look_after_worker(now);
  look_for_heat_alone(now);
}

}  // namespace interlock::daemon
