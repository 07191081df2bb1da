#include "play.h"

#include <fmt/format.h>

#include <stdexcept>

#include "restart.h"

namespace interlock::explore {
namespace {

using act::CutoverReport;
using act::CutoverResult;
using mocks::Fault;
using mocks::MockHost;
using mocks::Operation;
using mocks::OperationKind;

constexpr int kMostHolds = 5;
constexpr auto kAfterBoot = std::chrono::minutes(3);

std::string name_of(const Operation& operation) {
  if (operation.kind == OperationKind::run) return operation.text;
  std::string_view what = operation.text;
  if (const auto kind = operation.content.rfind("\"kind\":\"");
      operation.kind == OperationKind::append_file && kind != std::string_view::npos) {
    what = operation.content.substr(kind + 8);
    what = what.substr(0, what.find('"'));
  }
  return fmt::format("{} {}", mocks::to_string(operation.kind), what);
}

class Play {
 public:
  Play(const scene::Course& course, const Trace& trace, Tell tell)
      : course_(course), left_(trace.choices), tell_(tell), host_(course.from) {
    scene::install_gate(host_);
    host_.choose = [this](const Operation& operation) { return choose(operation); };
  }

  Played run() {
    int holds = 0;
    for (bool first = true;; first = false) {
      const auto report = live(first);
      if (!report) continue;
      played_.reports.push_back(*report);
      say(scene::text_of(*report));
      const bool over = is_over(*report) || (first && report->result != CutoverResult::held);
      if (!over && ++holds < kMostHolds) {
        pass_until_somebody_comes(host_);
        continue;
      }
      const bool came_back = report->result == CutoverResult::rolled_back ||
                             (went_back_ && report->result == CutoverResult::done);
      played_.judgement = judged(host_.model(), course_, hands_, *report, came_back);
      played_.model = host_.model();
      return std::move(played_);
    }
  }

 private:
  Fault choose(const Operation& operation) {
    if (tell_ != Tell::nothing && operation.mutating)
      played_.operations.push_back({operation.index, name_of(operation)});
    while (!left_.empty() && left_.front().operation == operation.index &&
           left_.front().what != Choice::What::forward) {
      const Choice choice = left_.front();
      left_.erase(left_.begin());
      const Hands before = hands_;
      hands_.take(choice, operation);
      if (choice.what == Choice::What::actor) {
        say(fmt::format("{}another: {}\n", number(operation), choice_text(choice)));
        if (choice.actor == Actor::second && scene::run(host_, course_.name).result == CutoverResult::busy)
          hands_ = before;  // it was kept out, and has done nothing
        if (choice.actor != Actor::second) act(host_, choice, course_.from);
        host_.machine().judge_changes();
        continue;
      }
      say(fmt::format("{}{}  <- {}\n", number(operation), name_of(operation), choice_text(choice)));
      return choice.fault;
    }
    if (operation.kind == OperationKind::append_file && operation.content.contains("\"kind\":\"intent\"") &&
        operation.content.contains("\"kind\":\"sweep\""))
      hands_.late = false;
    if (operation.mutating && operation.kind == OperationKind::run)
      say(fmt::format("{}{}\n", number(operation), operation.text));
    return {};
  }

  /// One process of ours, to its report or to its death.
  std::optional<CutoverReport> live(bool first) {
    try {
      if (first) return scene::run(host_, course_.name);
      const bool forward = !left_.empty() && left_.front().what == Choice::What::forward &&
                           (left_.front().operation == 0 || left_.front().operation == host_.operations());
      if (forward) left_.erase(left_.begin());
      went_back_ = !forward;
      return scene::recover(host_, forward ? act::Direction::forward : act::Direction::back);
    } catch (const mocks::Killed&) {
      say("killed\n");
      host_.revive();
    } catch (const mocks::PowerCut&) {
      say("the power is gone, and back\n");
      host_.boot();
      host_.machine().pass(kAfterBoot);
    }
    return std::nullopt;
  }

  std::string number(const Operation& operation) const {
    return tell_ == Tell::numbered ? fmt::format("{:>5} ", operation.index) : "";
  }
  std::string choice_text(const Choice& choice) const {
    const std::string text = choice.text();
    return tell_ == Tell::numbered ? text : text.substr(text.find(':') + 1);
  }

  void say(const std::string& text) {
    if (tell_ != Tell::nothing) played_.story += text;
  }

  const scene::Course& course_;
  std::vector<Choice> left_;
  Tell tell_;
  MockHost host_;
  Hands hands_;
  bool went_back_ = false;  // the last recovery was told to go back
  Played played_;
};

}  // namespace

Played play(const scene::Course& course, const Trace& trace, Tell tell) {
  return Play(course, trace, tell).run();
}

const scene::Course& course_named(std::string_view name) {
  for (const scene::Course& course : scene::gated_courses()) {
    if (course.name == name) return course;
  }
  throw std::runtime_error(fmt::format("there is no cutover {}", name));
}

}  // namespace interlock::explore
