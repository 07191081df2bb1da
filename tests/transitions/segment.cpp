#include "segment.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "act/conduct.h"
#include "base/text.h"
#include "model/journal_text.h"
#include "model/plan_json.h"
#include "position.h"

namespace interlock::explore {
namespace {

using act::CutoverReport;
using act::CutoverResult;
using mocks::Fault;
using mocks::Operation;
using mocks::OperationKind;
using nlohmann::json;

/// Kept, since all scenarios of a course begin alike.
const WayBack& way_back_of(std::string_view first_line) {
  static std::map<std::uint64_t, WayBack> kept;
  const std::uint64_t key = mocks::Hasher().add(first_line).value();
  auto found = kept.find(key);
  if (found == kept.end()) {
    const json record = json::parse(first_line.substr(first_line.find('{')));
    found = kept.emplace(key, WayBack(target_from_json(record["body"]["way_back"]).value())).first;
  }
  return found->second;
}

std::set<Vmid> running(const mocks::Model& model, const Target& target) {
  std::set<Vmid> found;
  for (const auto& [vmid, want] : target.wants) {
    const mocks::Container* container = model.container(*parse_number<int>(vmid.text()));
    if (container != nullptr && container->running()) found.insert(vmid);
  }
  return found;
}

std::string_view kind_of(std::string_view record) {
  const auto at = record.rfind("\"kind\":\"");
  if (at == std::string_view::npos) return {};
  const std::string_view word = record.substr(at + 8);
  return word.substr(0, word.find('"'));
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
  planned_ = place_.plan;
}

std::optional<Node> Segment::run() {
  host_.choose = [this](const Operation& operation) { return choose(operation); };
  host_.after = [this](const Operation& operation) {
    if (cut_ && !is_written(operation)) cut_ = false;
    if (behind && operation.mutating && operation.index >= last_index_) behind(operation, host_.model());
  };
  std::optional<Node> reached;
  const auto begin_again = [&](std::optional<Fault> stopped) {
    Place start;
    start.way = Way::back;
    start.stopped = stopped;
    start.reported = !stopped;
    start.hands = place_.hands;
    reached = Node{host_.model(), start};
  };
  try {
    report_ = live();
    came_back_ = report_.result == CutoverResult::rolled_back ||
                 (place_.way == Way::back && report_.result == CutoverResult::done);
    const bool over =
        is_over(report_) || (place_.way == Way::cut_over && report_.result != CutoverResult::held);
    if (!over) begin_again(std::nullopt);
  } catch (const Cut&) {
    if (planned_) place_.plan = planned_;
    reached = Node{host_.model(), place_};
    --reached->model.operations;  // the one at which it was stopped has not happened
  } catch (const mocks::Killed&) {
    begin_again(Fault{Fault::Kind::killed, 0, false});
  } catch (const mocks::PowerCut&) {
    const Fault& fault = chosen_.back().fault;
    begin_again(Fault{Fault::Kind::power_cut, fault.lost_writes, fault.renumber});
  }
  checks_ = host_.machine().checks;
  return reached;
}

CutoverReport Segment::live() {
  if (place_.at != Place::At::start) return walk_on();
  const act::CutoverOptions options{
      .without_guard = true, .on_failure = act::OnFailure::rollback, .planned = [this](const Plan& plan) {
        planned_ = std::make_shared<const PlanInHand>(plan);
      }};
  const auto silent = [](const act::StepReport&) {};
  if (place_.way == Way::cut_over)
    return act::cut_over(host_, scene::policy(), course_.name, options, silent);
  return act::recover(host_, place_.way == Way::forward ? act::Direction::forward : act::Direction::back,
                      options, silent);
}

/// The engine as it was when it was stopped, between two steps.
CutoverReport Segment::walk_on() {
  const Policy& policy = scene::policy();
  act::Run engine(host_, policy, place_.id);
  engine.without_guard = true;
  for (const PolicyCard& card : policy.cards) engine.cards.insert(card.pci);
  if (!place_.back) engine.cutover = &policy.cutovers.at(course_.name);
  engine.back = place_.back;
  engine.asked = place_.asked;
  engine.started = place_.started;
  engine.prepared = place_.prepared;
  bool known = place_.at == Place::At::walking;  // the first plan that it tells is the one in hand
  engine.planned = [this, &known](const Plan& plan) {
    if (!std::exchange(known, false)) planned_ = std::make_shared<const PlanInHand>(plan);
  };
  const auto silent = [](const act::StepReport&) {};
  act::Conduct conduct(engine, act::Journal::reopen(host_, {place_.id, {}, false, {}}),
                       place_.way_back->target, act::OnFailure::rollback, silent);
  const auto plan = place_.plan;  // this place moves on
  CutoverReport report = place_.at == Place::At::turned ? conduct.back("a step failed")
                         : place_.back ? conduct.back_along(plan->plan, place_.from, "a step failed")
                                       : conduct.forward(plan->plan, place_.from);
  std::erase_if(host_.model().locks, [](const auto& lock) { return lock.second == "controller"; });
  if (place_.way == Way::back && report.result == CutoverResult::rolled_back)
    report.result = CutoverResult::done;
  return report;
}

Fault Segment::choose(const Operation& operation) {
  if (std::exchange(cut_, false) && (place_.at != Place::At::walking || planned_)) throw Cut{};
  while (next_ < chosen_.size() && chosen_[next_].operation == operation.index) {
    const Choice& choice = chosen_[next_++];
    const Hands before_it = place_.hands;
    place_.hands.take(choice, operation);
    if (choice.what == Choice::What::actor) {
      if (!let_act(choice)) place_.hands = before_it;
      continue;
    }
    track(operation, true);
    return choice.fault;
  }
  if (before && next_ == chosen_.size() && operation.index >= last_index_) before(operation, host_.model());
  track(operation, false);
  return {};
}

/// The engine knows whether its record was written, and turns back where it was not: that is no place to
/// stop.
bool Segment::is_written(const Operation& operation) const {
  if (operation.kind != OperationKind::append_file) return true;
  const auto file = host_.model().files.find(operation.text);
  return file != host_.model().files.end() && file->second.text.ends_with(operation.content);
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

/// Where it is, from what it is about to write or to run. A record that was struck is no place to stop at.
void Segment::track(const Operation& operation, bool struck) {
  const bool begins_again = place_.at == Place::At::start && place_.way != Way::cut_over;
  if (begins_again && operation.kind == OperationKind::read_file && operation.text.ends_with(".journal")) {
    const auto file = host_.model().files.find(operation.text);
    const bool whole = file != host_.model().files.end() && file->second.text.contains('\n');
    if (whole) read_[operation.text] = lines_of(file->second.text).front();
    return;
  }
  if (operation.kind == OperationKind::run && operation.text.starts_with("pct start ")) {
    if (const auto vmid = Vmid::parse(operation.text.substr(std::string_view("pct start ").size())))
      place_.started.insert(*vmid);
    return;
  }
  if (operation.kind != OperationKind::append_file || !operation.text.ends_with(".journal")) return;
  if (place_.id.empty()) {
    const std::string_view path = operation.text;
    const auto name = path.substr(path.rfind('/') + 1);
    place_.id = name.substr(0, name.size() - std::string_view(".journal").size());
  }
  track_record(operation.content);
  if (struck) cut_ = false;
}

void Segment::track_record(std::string_view content) {
  const std::string_view kind = kind_of(content);
  const bool walks = place_.at == Place::At::walking;
  if (kind == "begin") {
    place_.asked = running(host_.model(), scene::policy().cutovers.at(course_.name).target());
    place_.way_back = &way_back_of(content);
    place_.at = Place::At::walking;
    place_.from = 0;
    planned_ = nullptr;
    cut_ = true;
  } else if (kind == "replan") {
    place_.at = Place::At::walking;
    place_.from = 0;
    place_.back = content.contains("\"direction\":\"back\"");
    // From here on the engine is the same, whichever command took this way.
    place_.way = place_.back ? Way::back : Way::cut_over;
    // What the process has read of it before.
    if (place_.way_back == nullptr) place_.way_back = &way_back_of(read_.at(act::journal_path(place_.id)));
    if (!place_.back)
      place_.asked = running(host_.model(), scene::policy().cutovers.at(course_.name).target());
    planned_ = nullptr;
    cut_ = true;
  } else if (kind == "intent") {
    if (place_.hands.acted && content.contains("\"kind\":\"sweep\"")) place_.hands.late = false;
  } else if (kind == "outcome" && walks && content.contains("\"done\":true")) {
    if (planned_) place_.plan = planned_;
    const Step& step = place_.plan->plan.steps.at(place_.from);
    const bool prepares = step.kind == StepKind::start_container || step.kind == StepKind::start_unit;
    if (prepares && !place_.back) place_.prepared.insert(*step.container);
    ++place_.from;
    cut_ = true;
  } else if (kind == "outcome" && walks && !place_.back) {
    place_.at = Place::At::turned;
    cut_ = true;
  }
}

}  // namespace interlock::explore
