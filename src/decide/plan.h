// From (state now, target) to steps, in the order that is a law (design, section 6). Pure. Rollback and
// recovery are this same planner, aimed at the state where the cutover began.
//
// What the steps mean to whoever runs them:
//
// take_card, give_card: ledger[card] := step.owner; given to nobody, that is `none`.
//
// retire_unit: after a start it comes for every declared unit but the wanted one; already so is done.
//
// clear_autostart: keep `onboot` in the keepsake as it was found, unless one is kept already; then set it.
//
// release_cards: take out every binding of bindings_giving(), keep its line in the keepsake under each of
// its cards, and have the generated configuration made anew (11.9).
//
// bind_cards: write step.lines ("lxc. ..." into the file, "devN: ..." and "mpN: ..." by pct set), and
// forget what the keepsake has of these cards.
//
// set_limits: one pct set. It follows every bind_cards of raw lines, since it has the generated
// configuration made anew; without settings it is a harmless pct set for that alone.
//
// restore_autostart: set `onboot` (nothing: delete the key), and forget the kept one.
#pragma once

#include "base/result.h"
#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::decide {

/// A target that holds already gives an empty plan. An impossible one is an error that says why, and so is a
/// state that does not tell enough. `cutover` is the id that takes the cards in the ledger.
Result<Plan> plan(const HostState& state, const Policy& policy, const Target& target,
                  const std::string& cutover);

/// The target with what it leaves open filled in from `state`: whether each container runs, its autostart,
/// and what a container that must be restarted was serving. plan() does this by itself; Plan::target is the
/// outcome, and what a later recovery forward must aim at.
Target resolved(const HostState& state, const Policy& policy, const Target& target);

/// The wish to be again where `state` is, for those containers that `target` names.
Target way_back(const HostState& state, const Policy& policy, const Target& target);

/// What the target says and the state does not show, one sentence each; empty: it holds.
std::vector<std::string> differences(const HostState& state, const Policy& policy, const Target& target);

/// The bindings, latent ones aside, that give `container` one of `cards`: a folder gives every card.
std::vector<Binding> bindings_giving(const Container& container, const std::vector<PciAddress>& cards);

/// `unit` of that container works on each of `cards` now: a process of it is a holder that uses the card
/// (design, vocabulary). Whether it is active is another question.
bool serves(const HostState& state, Vmid container, const UnitName& unit, const std::set<PciAddress>& cards);

}  // namespace interlock::decide
