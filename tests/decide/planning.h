// What the tests of plan and proof share: short forms, walks, and states as the real host would show them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "decide/plan.h"
#include "decide/proof.h"
#include "two_v620.h"

namespace interlock::planning {

/// "take-card gpu1": a step's kind and subject.
inline std::vector<std::string> brief(const Plan& plan) {
  std::vector<std::string> steps;
  for (const Step& step : plan.steps)
    steps.push_back(std::string(to_string(step.kind)) + " " + step.subject());
  return steps;
}

inline Plan planned(const HostState& state, const Policy& policy, const Target& target,
                    const std::string& cutover = "c1") {
  auto plan = decide::plan(state, policy, target, cutover);
  INFO((plan ? std::string() : plan.error().message));
  REQUIRE(plan);
  return *plan;
}

inline std::string refusal(const HostState& state, const Policy& policy, const Target& target) {
  const auto plan = decide::plan(state, policy, target, "c1");
  REQUIRE_FALSE(plan);
  return plan.error().message;
}

/// The state after the first `count` steps; all of them when there are fewer.
inline HostState walked(HostState state, const Policy& policy, const Plan& plan, std::size_t count = 1000) {
  for (std::size_t at = 0; at < plan.steps.size() && at < count; ++at) {
    state = decide::after_step(state, policy, plan.steps[at]);
  }
  return state;
}

/// As a look at the host would give it: a stopped container does not answer for its units.
inline HostState as_seen(HostState state) {
  for (Container& container : state.containers) {
    if (container.running == RunState::stopped) container.units.clear();
  }
  return state;
}

inline const Step& step_of(const Plan& plan, StepKind kind, const std::string& subject) {
  for (const Step& step : plan.steps) {
    if (step.kind == kind && step.subject() == subject) return step;
  }
  FAIL("no step " << to_string(kind) << " " << subject);
  return plan.steps.front();
}

inline bool has_step(const Plan& plan, StepKind kind, const std::string& subject) {
  for (const Step& step : plan.steps) {
    if (step.kind == kind && step.subject() == subject) return true;
  }
  return false;
}

inline std::string all(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

inline void check_proven(const HostState& state, const Policy& policy, const Plan& plan) {
  const Proof proof = decide::prove(state, policy, plan);
  INFO(all(proof.breaches));
  CHECK(proof.holds());
}

/// Leads there, proven, and nothing is different afterwards.
inline HostState reached(const HostState& state, const Policy& policy, const Target& target,
                         const std::string& cutover = "c1") {
  const Plan plan = planned(state, policy, target, cutover);
  check_proven(state, policy, plan);
  HostState end = walked(state, policy, plan);
  INFO(all(decide::differences(end, policy, plan.target)));
  CHECK(decide::differences(end, policy, plan.target).empty());
  return end;
}

inline Want running(const std::set<PciAddress>& cards, const std::optional<UnitName>& serve) {
  Want want;
  want.state = RunState::running;
  want.cards = cards;
  want.serve = serve;
  return want;
}

inline Want stopped(const std::set<PciAddress>& cards = {}) {
  Want want;
  want.state = RunState::stopped;
  want.cards = cards;
  return want;
}

}  // namespace interlock::planning
