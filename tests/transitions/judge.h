// How a scenario may have ended, and who had a hand in it.
#pragma once

#include <set>
#include <string>

#include "choice.h"
#include "scene.h"

namespace interlock::explore {

/// Whose hands were in it besides ours.
struct Hands {
  std::set<int> touched;    // containers at which another had one
  bool acted = false;       // another acted
  bool late = false;        // and after the last look of the cutover began
  bool renumbered = false;  // nodes changed places at a boot
  void take(const Choice& choice, const mocks::Operation& operation);
  /// Whatever is judged wrong with `other` is judged wrong with these.
  bool excuse_no_more_than(const Hands& other) const;
  bool operator==(const Hands&) const = default;
};

/// Breaches of I1 and I2 that nobody else's hand explains; two containers that have a card at one moment,
/// whoever's hand it was.
std::string breaches_of(const mocks::Model& model, const Hands& hands);

struct Judgement {
  std::string end;    // "rolled-back at the beginning"
  std::string means;  // "back at the beginning", whether a cutover turned back or a recovery went back
  std::string wrong;  // nothing, where all is as it must be
};
/// `came_back`: it says that it is where it began.
Judgement judged(const mocks::Model& model, const scene::Course& course, const Hands& hands,
                 const act::CutoverReport& last, bool came_back);

/// The cutover is over: done, unchanged or back.
bool is_over(const act::CutoverReport& report);

}  // namespace interlock::explore
