#include "walker.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlock::explore {
namespace {

using mocks::Fault;
using mocks::Model;
using mocks::Operation;
using Kind = Fault::Kind;

constexpr int kMostHolds = 5;  // more than there are faults to cause them
constexpr std::size_t kFailures = 12;
constexpr std::uint64_t kEndChecks = 6;  // judged()

bool before_it(const Choice& choice) {
  return choice.fault.kind == Kind::killed || choice.fault.kind == Kind::power_cut;
}
bool after_it(const Choice& choice) {
  return choice.fault.kind == Kind::killed_after || choice.fault.kind == Kind::power_cut_after;
}

bool is_stop(const Choice& choice) {
  return before_it(choice) || after_it(choice) || choice.fault.kind == Kind::killed_half;
}

}  // namespace

std::uint64_t Totals::all() const {
  std::uint64_t sum = 0;
  for (const auto& [faults, count] : scenarios) sum += count;
  return sum;
}

std::string Totals::text() const {
  std::string shown = fmt::format("{} scenarios:", all());
  for (const auto& [faults, count] : scenarios) shown += fmt::format(" {} with {},", count, faults);
  shown += fmt::format(
      " of which {} came to a place where another had been; {} places, {} stretches, {} checks, {} failed",
      merged, places, stretches, checks, failed);
  for (const auto& [end, count] : ends) shown += fmt::format("\n  {:>9}  {}", count, end);
  return shown;
}

Totals Walker::walk() {
  ++totals_.scenarios[0];
  go_on(Node{course_.from, {}}, {extent_.faults, extent_.reads, extent_.actors});
  totals_.places = seen_.size();
  return totals_;
}

void Walker::recover(const Node& start) {
  ++totals_.scenarios[0];
  stretch(start, {}, {});  // without asking whether an equal one was there: that is what is shown
}

bool Walker::is_new(std::uint64_t state, Left left) {
  if (!extent_.merge) return true;
  std::vector<Left>& before = seen_[state];
  if (std::ranges::any_of(before, [&](const Left& it) { return it.covers(left); })) return false;
  before.push_back(left);
  return true;
}

void Walker::go_on(Node node, Left left) {
  if (!is_new(node.state(), left)) {
    ++totals_.merged;
    return;
  }
  const bool recovers = node.place.at == Place::At::start && node.place.way == Way::back;
  stretch(node, {}, left);
  if (!recovers) return;
  node.place.way = Way::forward;
  Choice forward;
  forward.what = Choice::What::forward;
  forward.operation = node.model.operations;
  trace_.push_back(forward);
  ++totals_.scenarios[extent_.faults - left.faults];
  if (is_new(node.state(), left)) stretch(node, {}, left);
  trace_.pop_back();
}

void Walker::note(const Operation& operation, const Segment& segment, Left left,
                  std::vector<Alternative>& found) const {
  const Model& model = segment.host().model();
  const Hands& hands = segment.place().hands;
  if (left.actors) {
    for (const Choice& choice : actors_at(operation, model, extent_.faults == 1))
      found.push_back({choice, hands, nullptr});
  }
  if (!operation.mutating && !left.reads) return;
  std::shared_ptr<const Model> now;
  for (const Choice& choice : faults_of(operation, model)) {
    if (extent_.stopped_first && left.faults == extent_.faults && !is_stop(choice)) continue;
    if (choice.fault.kind == Kind::old)
      continue;  // needs the host before the last change, which a place has not
    if (before_it(choice) && !now) now = std::make_shared<const Model>(model);
    found.push_back({choice, hands, before_it(choice) ? now : nullptr});
  }
}

void Walker::stretch(const Node& from, const std::vector<Choice>& chosen, Left left) {
  ++totals_.stretches;
  Segment segment(course_, from, chosen);
  std::vector<Alternative> alternatives;
  if (left.faults > 0) {
    segment.before = [&](const Operation& operation, const Model&) {
      note(operation, segment, left, alternatives);
    };
    segment.behind = [&](const Operation& operation, const Model& model) {
      std::shared_ptr<const Model> now;
      for (Alternative& it : alternatives) {
        if (it.choice.operation != operation.index || !after_it(it.choice)) continue;
        if (!now) now = std::make_shared<const Model>(model);
        it.model = now;
      }
    };
  }
  auto next = segment.run();
  totals_.checks += segment.checks();
  if (!segment.failure.empty()) report(segment.failure);
  if (const auto wrong = breaches_of(segment.host(), segment.place().hands); !wrong.empty()) {
    report(wrong);  // it need not be gone on from
  } else if (next && next->place.holds < kMostHolds) {
    next->model.calls.clear();
    go_on(*std::move(next), left);
  } else {
    end(segment);
  }
  for (const Alternative& it : alternatives) befall(from, chosen, it, left);
}

void Walker::befall(const Node& from, const std::vector<Choice>& chosen, const Alternative& alternative,
                    Left left) {
  const Choice& choice = alternative.choice;
  const bool actor = choice.what == Choice::What::actor;
  const Left after{left.faults - 1, left.reads && !choice.of_read, left.actors && !actor};
  trace_.push_back(choice);
  ++totals_.scenarios[extent_.faults - after.faults];
  if (alternative.model) {
    // It dies at once: the host is known, and the next process begins there.
    Node node{*alternative.model, {}};
    node.place.way = Way::back;
    node.place.stopped = choice.fault;
    if (choice.fault.kind == Kind::killed_after) node.place.stopped->kind = Kind::killed;
    if (choice.fault.kind == Kind::power_cut_after) node.place.stopped->kind = Kind::power_cut;
    node.place.holds = from.place.holds;
    node.place.hands = alternative.hands;
    node.place.hands.renumbered = node.place.hands.renumbered || choice.fault.renumber;
    go_on(std::move(node), after);
  } else {
    auto more = chosen;
    more.push_back(choice);
    stretch(from, more, after);
  }
  trace_.pop_back();
}

void Walker::end(const Segment& segment) {
  const Judgement judgement = judged(segment.host(), course_, segment.place().hands, segment.report());
  totals_.checks += kEndChecks;
  ++totals_.ends[judgement.end];
  if (told) told({course_.name, trace_}, judgement.end);
  if (!judgement.wrong.empty()) report(judgement.wrong + scene::text_of(segment.report()));
}

void Walker::report(const std::string& wrong) {
  ++totals_.failed;
  if (totals_.failures.size() < kFailures)
    totals_.failures.push_back(fmt::format("{}\n{}", Trace{course_.name, trace_}.text(), wrong));
}

}  // namespace interlock::explore
