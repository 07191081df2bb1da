// Where a process of ours stands between two steps: with the host, all that the rest of its run depends on.
// An exploration stops a run there, compares, and goes on from there with the very same engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "judge.h"
#include "mocks/fingerprint.h"
#include "model/plan.h"

namespace interlock::explore {

enum class Way : std::uint8_t { cut_over, back, forward };

struct PlanInHand {
  Plan plan;
  std::vector<std::uint64_t> steps;
  std::uint64_t target = 0;
  explicit PlanInHand(Plan of);
};

/// Where a cutover began, as its journal's first record tells it.
struct WayBack {
  Target target;
  std::uint64_t meaning = 0;
  explicit WayBack(Target of);
};

struct Place {
  enum class At : std::uint8_t { start, walking, turned } at = At::start;
  Way way = Way::cut_over;
  std::optional<mocks::Fault> stopped;  // a kill or a power cut, after which this process is another's start
  bool reported = false;                // that it is not over: after a while another process is started
  Hands hands;
  // Walking and turned.
  std::string id;
  const WayBack* way_back = nullptr;
  std::shared_ptr<const PlanInHand> plan;
  std::size_t from = 0;
  bool back = false;
  std::set<Vmid> asked;    // whose requirements hold
  std::set<Vmid> started;  // by this process
  std::set<Vmid> prepared;

  /// A number for all of it that the rest of the run depends on: not whose hands were in it, which counts
  /// only for how that is judged.
  std::uint64_t meaning() const;

 private:
  void add_walk(mocks::Hasher& hasher) const;
};

struct Node {
  mocks::Model model;
  Place place;
  struct State {
    std::uint64_t meaning = 0;  // all that counts where no power cut can come any more
    std::uint64_t whole = 0;    // what may yet be lost by one, too
  };
  State state() const;
};

}  // namespace interlock::explore
