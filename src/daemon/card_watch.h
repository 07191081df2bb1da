// One guarded card, with its reader, its shed worker and its latch: takes samples, judges, and acts. Between
// a verdict and the first rung nothing is looked up, written or told.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/bus.h"
#include "daemon/card_guard.h"
#include "daemon/card_reader.h"
#include "daemon/holder_watch.h"
#include "daemon/latch_keeper.h"
#include "daemon/restart_worker.h"
#include "daemon/shed_worker.h"
#include "daemon/teller.h"
#include "daemon/trip_text.h"
#include "decide/heat_alone.h"

namespace interlock::daemon {

class ControlServer;

/// What the cards of one guard share.
struct Surroundings {
  EventLoop& loop;
  LeftBehind& left_behind;
  Host& host;
  std::string root;
  const ReaderProgram& readers;
  HolderWatch& holders;
  Teller& teller;
  Policy policy;
  ControlServer* control = nullptr;  // none before it is open
  Callback judged;                   // a card was judged
};

/// Of the last trip: from the sample that decided it to the first rung.
struct TripTiming {
  Instant sample_at{};
  Instant judged_at{};
  Instant first_rung_at{};
};

class CardWatch {
 public:
  CardWatch(Surroundings& around, PolicyCard card, const std::optional<Latch>& latch, const KeptTrip* kept);
  CardWatch(const CardWatch&) = delete;
  CardWatch& operator=(const CardWatch&) = delete;

  /// Asks for the first sample.
  void begin();
  /// Something happened to the card: it is asked again at once.
  void look_again();
  /// Holders were looked for, or the policy is another.
  void judge();
  void take_policy(const PolicyCard& card) { guard_.card = card; }
  void reset(bool force, const std::string& reason, const ControlMethods::Reply& reply);
  /// Once a second: what is to be tried again.
  void tick(Instant now);
  /// Ends its helpers.
  void stop() { worker_.abandon(); }

  const CardGuard& guard() const { return guard_; }
  const CardReader& reader() const { return reader_; }
  const Refills& refills() const { return refills_; }
  const std::optional<TripTiming>& timing() const { return timing_; }
  bool shedding() const { return worker_.busy(); }
  bool polled_fast() const { return fast_; }
  unsigned trips() const { return trips_; }
  unsigned sheds() const { return sheds_; }
  /// The latest that a judgement came after it was due, since the last call.
  Duration take_lateness() { return std::exchange(lateness_, Duration::zero()); }
  KeptTrip kept() const { return {guard_.trip, {shed_.begin(), shed_.end()}}; }

 private:
  void take_sample(CardSample sample);
  void take_miss(const std::string& why);
  bool may_shed(const std::vector<decide::ShedTarget>& targets, Instant now) const;
  void shed(bool first, Instant now);
  void begin_worker(const ShedOrder& order, Instant now);
  void shed_unseen(std::vector<decide::ShedTarget> last_seen, Instant now);
  void look_after_worker(Instant now);
  void look_for_heat_alone(Instant now);
  void shed_ended(bool empty, const std::string& trouble);
  void remember(const std::vector<decide::ShedTarget>& targets);
  void write_latch();
  void resume();
  void tell_trip();
  void tell_changes(Instant now);
  TripReason latched_for() const;
  Event event(EventKind kind, std::string message) const;

  Surroundings& around_;
  CardGuard guard_;
  CardReader reader_;
  ShedWorker worker_;
  RestartWorker restarter_;
  LatchKeeper latch_;
  Timer judge_;
  Refills refills_;
  std::set<std::string> shed_;     // "120/llamacpp.service": what `until-cool` starts again
  std::set<ProcessId> last_seen_;  // whom the last ladder was for
  Instant retry_at_{};
  bool heard_ = false;  // a sample came, or did not come in time
  bool fast_ = false;
  bool told_missed_ = false;
  std::optional<GuardState> told_;
  std::optional<Instant> blind_since_;  // not told yet
  bool held_ = true;                    // as last judged
  std::optional<Instant> latch_again_at_;
  decide::HeatAlone heat_alone_;
  std::optional<TripTiming> timing_;
  Duration lateness_{};
  unsigned trips_ = 0;
  unsigned sheds_ = 0;
};

}  // namespace interlock::daemon
