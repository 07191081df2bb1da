#include "walker.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlock::explore {
namespace {

using mocks::Fault;
using mocks::Model;
using mocks::Operation;
using Kind = Fault::Kind;

constexpr std::size_t kFailures = 12;
constexpr std::uint64_t kEndChecks = 6;  // judged()

bool before_it(const Choice& choice) {
  return choice.fault.kind == Kind::killed || choice.fault.kind == Kind::power_cut;
}
bool after_it(const Choice& choice) {
  return choice.fault.kind == Kind::killed_after || choice.fault.kind == Kind::power_cut_after;
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
      " of which {} came to a place where another had been; they stand for {}; {} places, {} stretches, {} "
      "checks, {} failed",
      merged, represented, places, stretches, checks, failed);
  for (const auto& [end, count] : ends) shown += fmt::format("\n  {:>9}  {}", count, end);
  return shown;
}

Walker::Ahead& Walker::Ahead::operator+=(const Ahead& other) {
  changes += other.changes;
  reads += other.reads;
  actors += other.actors;
  return *this;
}

std::uint64_t Walker::Ahead::within(const Left& left) const {
  return left.faults == 0 ? 0 : changes + (left.reads ? reads : 0) + (left.actors ? actors : 0);
}

Totals Walker::walk() {
  ++totals_.scenarios[0];
  go_on(Node{course_.from, {}}, {extent_.faults, extent_.reads, extent_.actors});
  totals_.places = seen_.size();
  totals_.represented += totals_.all();
  return totals_;
}

void Walker::recover(const Node& start) {
  ++totals_.scenarios[0];
  stretch(start, {}, {});  // without asking whether an equal one was there: that is what is shown
}

/// Nobody was there with as much left, and judged as strictly. Who still had something left was there without
/// it, too.
bool Walker::is_new(const Node::State& state, const Hands& hands, Left left) {
  if (!extent_.merge) return true;
  std::vector<Seen>& before = seen_[left.key(state)];
  const auto covers = [&](const Seen& it) {
    return it.left.covers(left) && it.hands.excuse_no_more_than(hands);
  };
  if (std::ranges::any_of(before, covers)) return false;
  before.push_back({left, hands});
  if (left.faults > 0) seen_[state.meaning].push_back({left, hands});
  return true;
}

std::optional<std::size_t> Walker::on_path(const Node::State& state, Left left) const {
  const auto path = on_path_.find(left.key(state));
  if (path == on_path_.end()) return std::nullopt;
  const auto found = std::ranges::find(path->second, left, &Behind::left);
  return found == path->second.end() ? std::nullopt : std::optional(found->reports);
}

/// A hold that leads to itself, though nothing more befalls it, is where it ends.
void Walker::come_round(std::size_t reports_before) {
  if (reports_.size() == reports_before) return report("it goes round and round without a report");
  if (reports_.back()->place().back()) end(*reports_.back());
}

Walker::Ahead Walker::known(const Node::State& state, Left left) {
  ++totals_.merged;
  if (left.faults == 0) return {};
  const Ahead ahead = ahead_[state.whole];
  totals_.represented += ahead.within(left);
  return ahead;
}

/// To a new process where the old one is dead, and on from there.
Walker::Ahead Walker::go_on(Node node, Left left) {
  if (!node.place.stopped) {
    const Node::State state = node.state();
    return go_on(std::move(node), state, left);
  }
  node = stopped_at(std::move(node));
  const Node::State state = node.state();
  if (!node.place.stopped) return go_on(std::move(node), state, left);
  if (!is_new(state, node.place.hands, left)) return known(state, left);
  Booted up = booted(std::move(node));
  totals_.checks += up.checks;
  if (const auto wrong = breaches_of(up.node.model, up.node.place.hands); !wrong.empty()) {
    report(wrong);
    return {};
  }
  const Node::State there = up.node.state();
  const Ahead ahead = go_on(std::move(up.node), there, left);
  if (left.faults > 0) ahead_[state.whole] = ahead;
  return ahead;
}

Walker::Ahead Walker::go_on(Node node, const Node::State& state, Left left) {
  const auto round = on_path(state, left);
  if ((round && !extent_.merge) || !is_new(state, node.place.hands, left)) {
    if (round) come_round(*round);
    return known(state, left);
  }
  const bool recovers = !node.place.at && node.place.back();
  on_path_[left.key(state)].push_back({left, reports_.size()});
  Ahead ahead = stretch(node, {}, left);
  if (recovers) {
    node.place.way = Way::forward;
    Choice forward;
    forward.what = Choice::What::forward;
    forward.operation = node.model.operations;
    trace_.push_back(forward);
    ++totals_.scenarios[extent_.faults - left.faults];
    ahead += stretch(node, {}, left);
    trace_.pop_back();
  }
  on_path_[left.key(state)].pop_back();
  if (left.faults > 0) ahead_[state.whole] = ahead;
  return ahead;
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
    if (choice.fault.kind == Kind::old)
      continue;  // needs the host before the last change, which a place has not
    if (before_it(choice) && !now) now = std::make_shared<const Model>(model);
    found.push_back({choice, hands, before_it(choice) ? now : nullptr});
  }
}

Walker::Ahead Walker::stretch(const Node& from, const std::vector<Choice>& chosen, Left left) {
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
  Ahead ahead;
  if (const auto wrong = breaches_of(segment.host().model(), segment.place().hands); !wrong.empty()) {
    report(wrong);  // it need not be gone on from
  } else {
    ahead = follow(segment, std::move(next), left);
  }
  for (const Alternative& it : alternatives) {
    if (it.choice.what == Choice::What::actor) ++ahead.actors;
    if (it.choice.what == Choice::What::fault) ++(it.choice.of_read ? ahead.reads : ahead.changes);
    befall(from, chosen, it, left);
  }
  return ahead;
}

/// On to the next place.
Walker::Ahead Walker::follow(const Segment& segment, std::optional<Node> next, Left left) {
  if (!next) {
    end(segment);
    return {};
  }
  next->model.calls.clear();
  if (!next->place.reported) return go_on(*std::move(next), left);
  *next = come_back_to(*std::move(next));
  if (const auto wrong = breaches_of(next->model, next->place.hands); !wrong.empty()) {
    report(wrong);
    return {};
  }
  reports_.push_back(&segment);
  const Ahead ahead = go_on(*std::move(next), left);
  reports_.pop_back();
  return ahead;
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
  const Judgement judgement =
      judged(segment.host().model(), course_, segment.place().hands, segment.report(), segment.came_back());
  totals_.checks += kEndChecks;
  ++totals_.ends[judgement.means];
  if (told) told({course_.name, trace_}, judgement.means);
  if (!judgement.wrong.empty()) report(judgement.wrong + scene::text_of(segment.report()));
}

void Walker::report(const std::string& wrong) {
  ++totals_.failed;
  if (totals_.failures.size() < kFailures)
    totals_.failures.push_back(fmt::format("{}\n{}", Trace{course_.name, trace_}.text(), wrong));
}

}  // namespace interlock::explore
