// What one container of a target needs, worked out once: the planner makes steps of it, and differences()
// makes sentences.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

/// Cards are the policy's, in its order; what a container has besides them is left alone.
struct Change {
  const Container* now = nullptr;
  const Want* want = nullptr;
  std::vector<UnitName> declared;

  bool runs_now = false;
  bool runs_after = false;
  bool stop = false;   // on the way or for good
  bool start = false;  // after a stop on the way, or from where it stands

  std::set<PciAddress> cards_now;
  /// Those that are to be its own; not what `release: keep-binding` leaves behind.
  std::set<PciAddress> cards_after;
  /// To be taken out of its configuration; the other cards of a folder come back as gains.
  std::vector<Binding> release;
  std::vector<Binding> stays;
  /// Unwanted ones that `release` gives, or a stale generated configuration; and gains with an outdated line.
  std::vector<PciAddress> loses;
  std::vector<PciAddress> gains;  // a line is to be written for each
  bool regenerate = false;        // it is down, and what it would start with lacks a card of its own (11.9)

  Settings limits;                    // those that differ, as wanted
  std::optional<std::string> onboot;  // as it is to be in the end; nothing: the key is not there
  bool onboot_differs = false;
  bool clear_onboot = false;  // off on the way, or for good
  bool restore_onboot = false;

  std::vector<UnitName> retire_first;  // outgoing ones, asked while it runs
  std::vector<UnitName> retire_again;  // after its start, all but `serve`: nobody knows by then how they are
  bool start_unit = false;
  bool see_serving = false;
  bool enable_unit = false;

  bool edits() const { return !loses.empty() || !gains.empty(); }
  bool concerns(const PciAddress& card) const {
    return cards_now.contains(card) || cards_after.contains(card);
  }
  bool asks_units() const { return want->serve || want->retire_all; }
  bool units_known() const {
    return now->running == RunState::running && now->units_answer == UnitsAnswer::answered;
  }
};

/// Of each container of the target that exists, by VMID. They point into `state` and `target`.
std::vector<Change> changes(const HostState& state, const Policy& policy, const Target& target);

/// The cards that must be seen free on the way, in the policy's order: those of a container that is stopped
/// or edited. A shared card is in nobody's way, and never free. What a stopped container loses of a card that
/// another runs with, and goes on running with, is taken out and moves nothing.
std::vector<PciAddress> cards_that_move(const Policy& policy, const std::vector<Change>& changes);

/// `systemctl enable` has done what it promises, for this boot and the next (U05, U12).
bool is_enabled(const Unit& unit);

/// Who is to have each card in the ledger when the target is reached: the container that runs with it, or the
/// only one that it belongs to.
Owner owner_after(const std::vector<Change>& changes, const PciAddress& card);

/// The ledger's line of that card says something else than owner_after() and would refuse its owner. A card
/// without a line, or with `none`, is judged by I1 alone, and nothing is wrong with it.
bool ledger_disagrees(const HostState& state, const Target& target, const std::vector<Change>& changes,
                      const PciAddress& card);

}  // namespace interlock::decide
