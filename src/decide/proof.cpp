#include "decide/proof.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/invariants.h"
#include "decide/plan.h"
#include "decide/plan_steps.h"
#include "decide/proof_model.h"
#include "decide/proof_rules.h"

namespace interlock::decide {
namespace {

bool same_rule(const Breach& left, const Breach& right) {
  return left.invariant == right.invariant && left.containers == right.containers && left.card == right.card;
}

class Prover {
 public:
  Prover(const HostState& beginning, const Policy& policy, const Plan& plan, const Target& home)
      : policy_(policy), plan_(plan), back_(home) {
    state_ = lean(beginning, policy, plan.target);
    inherited_ = breaches(state_, policy);
    for (Breach& breach : boot_breaches(state_, policy)) {
      if (!is_inherited(breach)) inherited_.push_back(std::move(breach));
    }
    for (const Breach& breach : inherited_)
      proof_.inherited.push_back(breach.invariant + ": " + breach.message);
  }

  Proof run() {
    look("at the beginning");
    std::set<PciAddress> seen_free;
    for (const Step& step : plan_.steps) {
      const std::string where = fmt::format("step {} ({})", step.id, step.text);
      take(state_, plan_.target, step, seen_free, where);
      look("after " + where);
    }
    return std::move(proof_);
  }

 private:
  void broken(const std::string& where, const std::string& what) {
    proof_.breaches.push_back(where + ": " + what);
  }

  bool is_inherited(const Breach& breach) const {
    return std::ranges::any_of(inherited_, [&](const Breach& old) { return same_rule(old, breach); });
  }

  void check(const std::vector<Breach>& found, const std::string& where) {
    for (const Breach& breach : found) {
      if (!is_inherited(breach)) broken(where, breach.invariant + ": " + breach.message);
    }
  }

  void check(const HostState& state, const std::string& where) {
    check(breaches(state, policy_), where);
    check(boot_breaches(state, policy_), where + ", and a power cut there");
  }

  void take(HostState& state, const Target& target, const Step& step, std::set<PciAddress>& seen_free,
            const std::string& where) {
    if (const auto why = against_the_law(state, policy_, target, step, seen_free)) broken(where, *why);
    apply(state, policy_, step);
    if (step.kind == StepKind::see_card_free) seen_free.insert(step.cards.begin(), step.cards.end());
    if (step.kind == StepKind::start_container) {
      for (const PciAddress& card : step.cards) seen_free.erase(card);
    }
  }

  /// One state on the way: it and the boots that can follow it are safe, and from each there is a way back.
  void look(const std::string& where) {
    ++proof_.states;
    check(state_, where);
    forget_mended();
    for (const std::string& sentence : cannot_tell(state_, policy_)) {
      const auto known = std::ranges::find(proof_.cannot_tell, sentence);
      if (known == proof_.cannot_tell.end()) proof_.cannot_tell.push_back(sentence);
    }
    walk_back(state_, where);

    const std::string cut = where + ", and a power cut there";
    ++proof_.boots;
    HostState booted = after_boot(state_);
    HostState refused = with_gate(booted, policy_);
    if (refused.containers != booted.containers)
      walk_back(std::move(refused), cut + " and a gate that refuses");
    walk_back(std::move(booted), cut);
  }

  /// A rule that was broken before the first step and is kept now may not be broken again.
  void forget_mended() {
    if (inherited_.empty()) return;
    std::vector<Breach> left = breaches(state_, policy_);
    for (Breach& breach : boot_breaches(state_, policy_)) left.push_back(std::move(breach));
    std::erase_if(inherited_, [&](const Breach& old) {
      return std::ranges::none_of(left, [&](const Breach& now) { return same_rule(old, now); });
    });
  }

  void walk_back(HostState state, const std::string& from) {
    ++proof_.ways_back;
    const auto steps = steps_to(state, policy_, back_, plan_.cutover);
    if (!steps) return broken(from, "there is no way back: " + steps.error().message);
    std::set<PciAddress> seen_free;
    for (const Step& step : *steps) {
      const std::size_t before = proof_.breaches.size();
      take(state, back_, step, seen_free, from);
      check(state, from);
      if (proof_.breaches.size() == before) continue;
      for (std::size_t at = before; at < proof_.breaches.size(); ++at) {
        proof_.breaches[at] += fmt::format(" (on the way back, {} {})", to_string(step.kind), step.subject());
      }
      return;
    }
    const auto open = differences(state, policy_, back_);
    if (!open.empty()) broken(from, "the way back does not reach the beginning: " + open.front());
  }

  const Policy& policy_;
  const Plan& plan_;
  const Target& back_;
  HostState state_;
  std::vector<Breach> inherited_;
  Proof proof_;
};

}  // namespace

std::string why_unproven(const Proof& proof) {
  constexpr std::size_t kFew = 3;
  const auto& all = proof.breaches;
  const std::size_t shown = std::min(all.size(), kFew);
  const std::string few = joined({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown)}, "; ");
  const std::string more = all.size() > shown ? fmt::format("; and {} more", all.size() - shown) : "";
  return "the plan cannot be proven safe: " + few + more;
}

Proof prove(const HostState& beginning, const Policy& policy, const Plan& plan, const Target& home) {
  return Prover(beginning, policy, plan, home).run();
}

Proof prove(const HostState& beginning, const Policy& policy, const Plan& plan) {
  const bool sound = breaches(beginning, policy).empty() && boot_breaches(beginning, policy).empty();
  return prove(beginning, policy, plan, sound ? way_back(beginning, policy, plan.target) : plan.target);
}

}  // namespace interlock::decide
