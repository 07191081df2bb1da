// What the daemon knows of the cards' holders, from the looks that came so far. Pure.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "base/time.h"
#include "daemon/holder_wire.h"
#include "decide/shedding.h"
#include "decide/use.h"

namespace interlock::daemon {

/// Holders are looked for every two seconds or more often; what was seen longer ago than this is no longer
/// knowledge.
inline constexpr Duration kHoldersKnownFor = std::chrono::seconds(10);

class HolderView {
 public:
  explicit HolderView(Pid own) : own_(own) {}

  /// `containers`: the look was at these alone, and says nothing of other processes; nothing: it was at all
  /// of /proc. `begun`: when it began, since what happened after that it may have missed.
  void take(HolderLook look, const std::optional<std::set<Vmid>>& containers, Instant begun);
  void take(BindingLook look);

  /// All of /proc was looked at, beginning after `then`.
  bool all_seen_since(Instant then) const { return all_seen_at_ && *all_seen_at_ >= then; }
  /// Nothing seen yet, or too long ago: a card may be held by anybody, and nobody can be named.
  bool known(Instant now) const;
  /// By card; a view that is not known counts as held.
  decide::Use use(const PciAddress& card, Instant now) const;
  std::vector<Holder> holders(const PciAddress& card) const;
  const std::vector<UnknownHolder>& unknown() const { return look_.unknown; }
  /// What the first rung acts on.
  std::vector<decide::ShedTarget> targets(const PciAddress& card) const;
  bool may_sleep(const PciAddress& card) const { return bindings_.may_sleep.contains(card); }
  std::set<Vmid> binding(const PciAddress& card) const;

  /// Containers that bind a card or hold one: where a quick look goes. Nothing: not known, so look
  /// everywhere.
  std::optional<std::set<Vmid>> worth_a_look() const;

 private:
  Pid own_;
  HolderLook look_;
  HolderLook before_;
  BindingLook bindings_;
  bool bindings_known_ = false;
  std::optional<Instant> seen_at_;
  std::optional<Instant> all_seen_at_;
};

}  // namespace interlock::daemon
