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
#include "model/plan.h"

namespace interlock::explore {

enum class Way : std::uint8_t { cut_over, back, forward };

struct PlanInHand {
  Plan plan;
  std::vector<std::uint64_t> steps;
  std::uint64_t target = 0;
  explicit PlanInHand(Plan of);
};

struct Place {
  enum class At : std::uint8_t { start, walking, turned } at = At::start;
  Way way = Way::cut_over;
  std::optional<mocks::Fault> stopped;  // a kill or a power cut, after which this process is another's start
  int holds = 0;                        // reports that it is not over
  Hands hands;
  // Walking and turned.
  std::string id;
  const Target* way_back = nullptr;
  std::shared_ptr<const PlanInHand> plan;
  std::size_t from = 0;
  bool back = false;
  std::set<Vmid> asked;    // whose requirements hold
  std::set<Vmid> started;  // by this process
  std::set<Vmid> prepared;

  std::uint64_t meaning() const;
};

struct Node {
  mocks::Model model;
  Place place;
  std::uint64_t state() const;
};

}  // namespace interlock::explore
