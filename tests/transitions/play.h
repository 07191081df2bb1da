// One scenario from its beginning to its end in one go, and told as a person would tell it: for a trace that
// somebody wants to see, and for the check that the walk from place to place comes to the same ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "judge.h"

namespace interlock::explore {

struct Played {
  Judgement judgement;
  std::string story;  // one line an effect, a mishap and a report
  std::vector<act::CutoverReport> reports;
  mocks::Model model;
  struct Done {
    int index = 0;
    std::string text;  // "pct start 120", "replace_file /etc/pve/lxc/123.conf", "append_file begin"
  };
  std::vector<Done> operations;  // those that change something
};

/// With operations' numbers, as a trace names them, or without, since any look more or less moves them all.
enum class Tell : std::uint8_t { nothing, plain, numbered };
Played play(const scene::Course& course, const Trace& trace, Tell tell);
const scene::Course& course_named(std::string_view name);

}  // namespace interlock::explore
