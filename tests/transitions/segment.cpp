#include "segment.h"

#include <stdexcept>
#include <utility>

#include "act/conduct.h"

namespace interlock::explore {
namespace {

using act::CutoverReport;
using act::CutoverResult;
using mocks::Fault;
using mocks::Operation;
using mocks::OperationKind;
using At = act::Juncture::At;

/// By the function that was under way there.
CutoverReport gone_on(act::Conduct& conduct, const Place& from) {
  switch (*from.at) {
    case At::planned:
      return from.back() ? conduct.back_by(from.plan->plan, "a step failed")
                         : conduct.on_again(from.plan->plan);
    case At::walking:
      return from.back() ? conduct.back_along(from.plan->plan, from.from, "a step failed")
                         : conduct.forward(from.plan->plan, from.from);
    case At::turned:
      return conduct.back("a step failed");
    case At::held:
      return conduct.held("a step failed");
  }
  throw std::logic_error("there is no such juncture");
}

}  // namespace

Segment::Segment(const scene::Course& course, const Node& from, std::vector<Choice> chosen)
    : course_(course), host_(from.model), place_(from.place), chosen_(std::move(chosen)) {
  scene::install_gate(host_);
  host_.keep_old = false;
  for (const Choice& choice : chosen_) {
    using Kind = Fault::Kind;
    host_.keep_old =
        host_.keep_old || choice.fault.kind == Kind::old || choice.fault.kind == Kind::undone_later;
    last_index_ = choice.operation;
  }
}

std::optional<Node> Segment::run() {
  host_.choose = [this](const Operation& operation) { return choose(operation); };
  host_.after = [this](const Operation& operation) {
    if (behind && operation.mutating && operation.index >= last_index_) behind(operation, host_.model());
  };
  const auto begin_again = [&](std::optional<Fault> stopped) {
    Place start;
    start.way = Way::back;
    start.stopped = stopped;
    start.reported = !stopped;
    start.hands = place_.hands;
    reached_ = Node{host_.model(), start};
  };
  try {
    report_ = live();
    came_back_ = report_.result == CutoverResult::rolled_back ||
                 (place_.way == Way::back && report_.result == CutoverResult::done);
    const bool over =
        is_over(report_) || (place_.way == Way::cut_over && report_.result != CutoverResult::held);
    if (!over) begin_again(std::nullopt);
  } catch (const Cut&) {
    // It is where it was stopped, with the locks that it held.
  } catch (const mocks::Killed&) {
    begin_again(Fault{Fault::Kind::killed, 0, false});
  } catch (const mocks::PowerCut&) {
    const Fault& fault = chosen_.back().fault;
    begin_again(Fault{Fault::Kind::power_cut, fault.lost_writes, fault.renumber});
  }
  checks_ = host_.machine().checks;
  return std::move(reached_);
}

CutoverReport Segment::live() {
  const auto stands = [this](const act::Run& run, const act::Juncture& juncture) {
    place_.take(run, juncture);
    cut_ = true;
  };
  if (place_.at) return walk_on(stands);
  const act::CutoverOptions options{
      .without_guard = true, .on_failure = act::OnFailure::rollback, .stands = stands};
  const auto silent = [](const act::StepReport&) {};
  if (place_.way == Way::cut_over)
    return act::cut_over(host_, scene::policy(), course_.name, options, silent);
  return act::recover(host_, place_.back() ? act::Direction::back : act::Direction::forward, options, silent);
}

/// The engine as it was when it was stopped.
CutoverReport Segment::walk_on(const Stands& stands) {
  const Place from = place_;  // which moves on
  const Policy& policy = scene::policy();
  act::Run engine(host_, policy, from.id);
  engine.without_guard = true;
  for (const PolicyCard& card : policy.cards) engine.cards.insert(card.pci);
  if (!from.back()) engine.cutover = &policy.cutovers.at(course_.name);
  engine.back = from.back();
  engine.asked = from.asked;
  engine.started = from.started;
  engine.prepared = from.prepared;
  bool known = true;  // the first that it tells is where it was stopped
  engine.stands = [&](const act::Run& run, const act::Juncture& juncture) {
    if (!std::exchange(known, false)) stands(run, juncture);
  };
  const auto silent = [](const act::StepReport&) {};
  act::Conduct conduct(engine, act::Journal::reopen(host_, {from.id, {}, from.mangled, {}}),
                       from.way_back->target, act::OnFailure::rollback, silent);
  CutoverReport report = gone_on(conduct, from);
  std::erase_if(host_.model().locks, [](const auto& lock) { return lock.second == "controller"; });
  if (from.back() && report.result == CutoverResult::rolled_back) report.result = CutoverResult::done;
  return report;
}

Fault Segment::choose(const Operation& operation) {
  if (std::exchange(cut_, false)) {
    reached_ = Node{host_.model(), place_};
    --reached_->model.operations;  // this one has not happened
    throw Cut{};
  }
  while (next_ < chosen_.size() && chosen_[next_].operation == operation.index) {
    const Choice& choice = chosen_[next_++];
    const Hands before_it = place_.hands;
    place_.hands.take(choice, operation);
    if (choice.what == Choice::What::actor) {
      if (!let_act(choice)) place_.hands = before_it;
      continue;
    }
    return choice.fault;
  }
  if (before && next_ == chosen_.size() && operation.index >= last_index_) before(operation, host_.model());
  const bool sweeps = operation.kind == OperationKind::append_file &&
                      operation.content.contains("\"kind\":\"intent\"") &&
                      operation.content.contains("\"kind\":\"sweep\"");
  if (sweeps) place_.hands.late = false;
  return {};
}

/// Whether anything was done: a second controller that is kept out has done nothing.
bool Segment::let_act(const Choice& choice) {
  if (choice.actor != Actor::second) {
    act(host_, choice, course_.from);
    host_.machine().judge_changes();
    return true;
  }
  const bool ours = host_.model().locks.contains("/run/gpu-interlock/cutover.lock");
  const auto report = scene::run(host_, course_.name);
  if (ours && report.result != CutoverResult::busy)
    failure = "a second controller was not kept out: " + scene::text_of(report);
  return report.result != CutoverResult::busy;
}

}  // namespace interlock::explore
