#include "act/conduct.h"

#include <algorithm>
#include <chrono>
#include <ranges>

#include "act/mend.h"
#include "act/objection.h"
#include "act/place_files.h"
#include "act/undertaking.h"
#include "base/text.h"
#include "decide/plan.h"
#include "decide/proof.h"
#include "model/plan_json.h"

namespace interlock::act {
namespace {

using nlohmann::json;

JournalRecord outcome_record(const StepReport& report) {
  return {"outcome",
          {{"step", report.step.id},
           {"back", report.back},
           {"done", report.done},
           {"seen", report.seen},
           {"took_ms", std::chrono::duration_cast<std::chrono::milliseconds>(report.took).count()}}};
}

/// Something of an earlier step is still at work, or has not answered.
bool unsettled(const Run& run, const HostState& state) {
  if (!state.workers.empty()) return true;
  return std::ranges::any_of(state.containers, [&](const Container& container) {
    if (!run.policy.containers.contains(container.vmid)) return false;
    if (container.running == RunState::unknown) return true;
    if (container.running == RunState::stopped) return false;
    return container.units_answer == UnitsAnswer::unanswered ||
           std::ranges::any_of(container.units,
                               [](const Unit& unit) { return unit.active == ActiveState::deactivating; });
  });
}

}  // namespace

Result<HostState> settled_state(Run& run) {
  constexpr Duration kPause = std::chrono::seconds(2);
  const Instant end = run.host.now() + run.policy.timing.stop;
  for (;;) {
    auto state = look_as_holder(run.host, run.policy);
    const Instant now = run.host.now();
    if ((state && !unsettled(run, *state)) || now >= end) return state;
    run.host.wait(std::min<Duration>(kPause, end - now));
  }
}

CutoverReport Conduct::forward(const Plan& plan, std::size_t from) {
  run_.target = plan.target;
  const auto why = walk(plan, from);
  if (!why) return commit(CutoverResult::done);
  if (on_failure_ == OnFailure::hold) return held(*why);
  return back(*why);
}

CutoverReport Conduct::on_again(const Plan& plan) {
  stands(Juncture::At::planned, &plan);
  const auto written = journal_.write({"replan", {{"direction", "forward"}, {"plan", to_json(plan)}}});
  if (written) return forward(plan);
  return held(fmt::format("it cannot be recorded: {}", written.error().message));
}

CutoverReport Conduct::back(const std::string& why) {
  go_back(way_back_, why);
  stands(Juncture::At::turned);
  give_back_files();
  const auto plan = plan_back();
  if (!plan) return held(fmt::format("{}; and there is no way back: {}", why, plan.error().message));
  return back_by(*plan, why);
}

CutoverReport Conduct::back_by(const Plan& plan, const std::string& why) {
  go_back(plan.target, why);
  stands(Juncture::At::planned, &plan);
  const auto written =
      journal_.write({"replan", {{"direction", "back"}, {"why", why}, {"plan", to_json(plan)}}});
  if (!written) return held(fmt::format("{}; and there is no way back: {}", why, written.error().message));
  return back_along(plan, 0, why);
}

CutoverReport Conduct::back_along(const Plan& plan, std::size_t from, const std::string& why) {
  go_back(plan.target, why);
  if (const auto failure = walk(plan, from))
    return held(fmt::format("{}; and the way back stopped: {}", why, *failure));
  give_back_files();
  if (!run_.placed.empty())
    return held(fmt::format("{}; and not every file that was placed could be given back", why));
  return commit(CutoverResult::rolled_back);
}

void Conduct::go_back(const Target& target, const std::string& why) {
  report_.error = why;
  run_.back = true;
  run_.cutover = nullptr;
  run_.target = target;
}

void Conduct::stands(Juncture::At at, const Plan* plan, std::size_t from) const {
  if (run_.stands) run_.stands(run_, {at, plan, from, &way_back_, journal_.mangled()});
}

void Conduct::give_back_files() {
  std::set<Vmid> containers;
  for (const FileBefore& file : run_.placed) containers.insert(file.container);
  for (const Vmid vmid : containers) {
    // One that does not run is given its files when it does; what is left in the end is said then.
    static_cast<void>(give_files_back(run_, vmid));
  }
}

Result<Plan> Conduct::plan_back() {
  HostState state = TRY(settled_state(run_));
  if (!state.ledger) {
    TRY(in_context(rebuild_ledger(run_, state), "the ledger, written anew"));
    state = TRY(settled_state(run_));
  }
  Plan plan = TRY(decide::plan(state, run_.policy, way_back_, run_.id));
  const Proof proof = decide::prove(state, run_.policy, plan);
  if (!proof.holds()) return fail("it cannot be proven safe: {}", joined(proof.breaches, "; "));
  return plan;
}

std::optional<std::string> Conduct::walk(const Plan& plan, std::size_t from) {
  stands(Juncture::At::walking, &plan, from);
  for (const Step& step : plan.steps | std::views::drop(from)) {
    if (auto why = walk(step)) return fmt::format("step {}, {}: {}", step.id, step.text, *why);
    stands(Juncture::At::walking, &plan, ++from);
  }
  return std::nullopt;
}

std::optional<std::string> Conduct::walk(const Step& step) {
  if (!run_.back) {
    if (auto why = objection(run_)) return why;
  }
  const json intent{{"step", step.id}, {"back", run_.back}, {"what", to_json(step)}};
  if (const auto written = journal_.write({"intent", intent}); !written) {
    return fmt::format("it was not begun, since it cannot be recorded: {}", written.error().message);
  }
  StepReport report{step, run_.back, false, {}, {}};
  progress_(report);
  const Instant begun = run_.host.now();
  const Outcome outcome = carry_out(run_, step);
  report.done = outcome.done;
  report.seen = outcome.seen;
  report.took = run_.host.now() - begun;
  const auto written = journal_.write(outcome_record(report));
  progress_(report);
  report_.steps.push_back(report);
  if (!outcome.done) return outcome.seen;
  if (!written) return fmt::format("it is done, and that cannot be recorded: {}", written.error().message);
  return std::nullopt;
}

CutoverReport Conduct::commit(CutoverResult result) {
  auto written = barrier(run_.host);
  if (written) written = journal_.end(to_string(result));
  if (written) {
    report_.result = result;
    return std::move(report_);
  }
  report_.result = CutoverResult::held;
  report_.error = joined({report_.error, written.error().message}, report_.error.empty() ? "" : "; ");
  report_.messages.push_back(fmt::format(
      "every step is done, but its end cannot be recorded: once it can, run `gpu-interlock recover {}`",
      result == CutoverResult::done ? "--forward" : "--back"));
  return std::move(report_);
}

CutoverReport Conduct::held(const std::string& why) {
  stands(Juncture::At::held);
  report_.result = CutoverResult::held;
  report_.error = why;
  report_.messages = what_to_mend(run_, way_back_);
  for (const FileBefore& file : run_.placed) {
    report_.messages.push_back(
        fmt::format("{} in container {} is as the cutover placed it: its journal {} has what was there",
                    file.path, file.container.text(), journal_.id()));
  }
  // That it is held is for the reader of `history`; an open journal says as much to the next run.
  static_cast<void>(journal_.write({"held", {{"why", why}, {"messages", report_.messages}}}));
  return std::move(report_);
}

}  // namespace interlock::act
