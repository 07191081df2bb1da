// Every scenario with so many faults: a walk over the places that can be reached, each place once
// (docs/verification.md tells how, and why that is complete).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "restart.h"
#include "segment.h"

namespace interlock::explore {

struct Extent {
  int faults = 1;
  bool actors = true;  // another actor too, once in a scenario; it counts as a fault
  bool reads = false;  // faults of reads too, at most one in a scenario
  bool merge = true;   // a place that was reached before with as much left is not gone on from
};

struct Totals {
  std::map<int, std::uint64_t> scenarios;  // by the number of faults in them
  std::uint64_t merged = 0;                // that came to a place where another had been
  std::uint64_t represented = 0;           // with those that go on from there as that other did
  std::uint64_t places = 0;
  std::uint64_t stretches = 0;
  std::uint64_t checks = 0;  // invariants judged: a card or container and an instant each
  std::uint64_t failed = 0;
  std::map<std::string, std::uint64_t> ends;
  std::vector<std::string> failures;  // the first of them
  std::uint64_t all() const;
  std::string text() const;
};

class Walker {
 public:
  Walker(const scene::Course& course, const Extent& extent) : course_(course), extent_(extent) {}
  Totals walk();
  /// Told how each scenario ended, where equal places are not merged.
  std::function<void(const Trace&, const std::string& end)> told;
  /// One recovery from a host that some run may have left, undisturbed.
  void recover(const Node& start);
  const Totals& totals() const { return totals_; }

 private:
  struct Left {
    int faults = 0;
    bool reads = false;
    bool actors = false;
    /// At least as much is left as in `other`.
    bool covers(const Left& other) const {
      return faults >= other.faults &&
             (faults == 0 || other.faults == 0 || ((reads || !other.reads) && (actors || !other.actors)));
    }
    bool operator==(const Left&) const = default;
    /// By what a place is known: without a fault left no power cut can come.
    std::uint64_t key(const Node::State& state) const { return faults > 0 ? state.whole : state.meaning; }
  };
  /// What can yet befall an undisturbed run, from a place to its end.
  struct Ahead {
    std::uint64_t changes = 0;
    std::uint64_t reads = 0;
    std::uint64_t actors = 0;
    Ahead& operator+=(const Ahead& other);
    std::uint64_t within(const Left& left) const;
  };
  struct Alternative {
    Choice choice;
    Hands hands;                                // before it
    std::shared_ptr<const mocks::Model> model;  // where the process dies at once: the host that it leaves
  };

  Ahead stretch(const Node& from, const std::vector<Choice>& chosen, Left left);
  void note(const mocks::Operation& operation, const Segment& segment, Left left,
            std::vector<Alternative>& found) const;
  void befall(const Node& from, const std::vector<Choice>& chosen, const Alternative& alternative, Left left);
  Ahead follow(const Segment& segment, std::optional<Node> next, Left left);
  Ahead go_on(Node node, Left left);
  Ahead go_on(Node node, const Node::State& state, Left left);
  void end(const Segment& segment);
  void report(const std::string& wrong);
  bool is_new(const Node::State& state, const Hands& hands, Left left);
  /// The walk stands behind this place with nothing befallen since: how many reports were heard before it.
  std::optional<std::size_t> on_path(const Node::State& state, Left left) const;
  void come_round(std::size_t reports_before);
  Ahead known(const Node::State& state, Left left);

  const scene::Course& course_;
  Extent extent_;
  Totals totals_;
  std::vector<Choice> trace_;
  struct Seen {
    Left left;
    Hands hands;
  };
  std::unordered_map<std::uint64_t, std::vector<Seen>> seen_;  // by place: how it was gone on from
  std::unordered_map<std::uint64_t, Ahead> ahead_;  // of those from which something was still to befall it
  struct Behind {
    Left left;
    std::size_t reports = 0;
  };
  std::unordered_map<std::uint64_t, std::vector<Behind>> on_path_;  // places that the walk stands behind
  std::vector<const Segment*> reports_;  // of processes that held, on the way there
};

}  // namespace interlock::explore
