// One card's shed worker: the ladder of act::shed in a child process, since pct and the cgroup files of a
// stuck container may hang, and another card's trip must not wait for them.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>

#include "act/shed.h"
#include "act/shed_unseen.h"
#include "daemon/child_task.h"
#include "decide/heat_alone.h"
#include "decide/shedding.h"
#include "policy/policy.h"

namespace interlock::daemon {

/// A card that fills again and again while it is latched: somebody restarts what is stopped. The third refill
/// within this time goes straight to the container (design, 11.10).
class Refills {
 public:
  static constexpr Duration kWithin = std::chrono::seconds(60);
  static constexpr std::size_t kTooMany = 3;
  void add(Instant now);
  bool too_many(Instant now) const;
  std::size_t total() const { return total_; }

 private:
  std::deque<Instant> recent_;
  std::size_t total_ = 0;
};

struct ShedOrder {
  const Policy& policy;
  const PolicyCard& card;
  act::Rung from = act::Rung::freeze;
  std::optional<act::Unseen> unseen = {};  // instead of the ladder from a fresh look
  decide::Temperatures at_begin = {};      // when the load was to go
};

class ShedWorker {
 public:
  using OnEvent = std::function<void(const act::ShedEvent&)>;
  /// `empty`: no holder was left. `trouble`: why the worker did not get to its end; empty when it did.
  using OnEnd = std::function<void(bool empty, const std::string& trouble)>;

  ShedWorker(EventLoop& loop, LeftBehind& left_behind, std::string root, const CardId& card, OnEvent on_event,
             OnEnd on_end);
  ShedWorker(const ShedWorker&) = delete;
  ShedWorker& operator=(const ShedWorker&) = delete;

  bool busy() const { return task_ != nullptr; }
  /// An error: no worker could be started. Must not be busy.
  Result<void> begin(const ShedOrder& order);
  /// Kills it where it stands.
  void abandon() { task_.reset(); }
  /// When it began, or last said something.
  Instant heard_at() const { return heard_at_; }
  std::optional<Instant> ended_at() const { return ended_at_; }
  /// It acts on what was seen before, and looks for nobody.
  bool unseen() const { return unseen_; }
  bool left_it_empty() const { return empty_; }

 private:
  void take_line(std::string_view line);

  EventLoop& loop_;
  LeftBehind& left_behind_;
  std::string root_;
  std::string what_;
  OnEvent on_event_;
  OnEnd on_end_;
  bool empty_ = false;
  bool unseen_ = false;
  Instant heard_at_{};
  std::optional<Instant> ended_at_;
  std::unique_ptr<ChildTask> task_;
};

/// How a worker tells what it does.
std::string shed_event_line(const act::ShedEvent& event);
Result<act::ShedEvent> parse_shed_event(std::string_view line);

}  // namespace interlock::daemon
