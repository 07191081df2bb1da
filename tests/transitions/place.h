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

#include "act/run.h"
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

/// Where a cutover began.
struct WayBack {
  Target target;
  std::uint64_t meaning = 0;
  explicit WayBack(Target of);
};

struct Place {
  std::optional<act::Juncture::At> at;  // nothing: a process is about to be started
  Way way = Way::cut_over;              // behind a juncture forward and cut_over are one
  std::optional<mocks::Fault> stopped;  // a kill or a power cut, after which this process is another's start
  bool reported = false;                // that it is not over: after a while another process is started
  Hands hands;
  // At a juncture (act/run.h).
  std::string id;
  const WayBack* way_back = nullptr;
  std::shared_ptr<const PlanInHand> plan;
  std::size_t from = 0;
  bool mangled = false;
  std::set<Vmid> asked;
  std::set<Vmid> started;
  std::set<Vmid> prepared;

  bool back() const { return way == Way::back; }
  /// Of the same process as before, or of one that is about to be started.
  void take(const act::Run& run, const act::Juncture& juncture);
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
