// One stretch of a run: from a place between two steps to the next, to the death of the process, or to its
// report. What is chosen befalls it on the way.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "place.h"

namespace interlock::explore {

class Segment {
 public:
  Segment(const scene::Course& course, const Node& from, std::vector<Choice> chosen);

  /// Asked for each operation behind the last choice, before it happens, and for each change after it.
  std::function<void(const mocks::Operation&, const mocks::Model&)> before;
  std::function<void(const mocks::Operation&, const mocks::Model&)> behind;

  /// The next place; nothing: it came to its report.
  std::optional<Node> run();
  const act::CutoverReport& report() const { return report_; }
  /// It says that it is where it began.
  bool came_back() const { return came_back_; }
  const Place& place() const { return place_; }
  const mocks::MockHost& host() const { return host_; }
  std::uint64_t checks() const { return checks_; }
  std::string failure;  // of what must not be: a second controller that was let in

 private:
  struct Cut {};
  mocks::Fault choose(const mocks::Operation& operation);
  act::CutoverReport live();
  using Stands = std::function<void(const act::Run&, const act::Juncture&)>;
  act::CutoverReport walk_on(const Stands& stands);
  bool let_act(const Choice& choice);

  const scene::Course& course_;
  mocks::MockHost host_;
  Place place_;
  std::vector<Choice> chosen_;
  std::size_t next_ = 0;
  int last_index_ = 0;  // operation of the last choice
  bool cut_ = false;    // at the next operation the place is reached
  std::optional<Node> reached_;
  act::CutoverReport report_;
  bool came_back_ = false;
  std::uint64_t checks_ = 0;
};

}  // namespace interlock::explore
