// How an operation can go wrong, and what the words for it mean to a command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mocks/model.h"

namespace interlock::mocks {

/// How an operation goes. What does not apply to its kind (Kind::old to a write) is `none`.
struct Fault {
  enum class Kind : std::uint8_t {
    none,
    fail,        // without effect; a lock is busy for all of its patience
    fail_after,  // after its effect
    no_effect,   // says done
    half,        // half of it done, and an error: one option of a set, a torn record
    hang,  // no answer until the deadline, no effect (an operation without deadline: an error after a minute)
    hang_after,    // the same, with its effect
    hang_late,     // the same, and the effect comes 2 s after the deadline, from the worker left behind
    undone_later,  // done, and undone by somebody else a second later
    garbage,       // a read gives nonsense, with success
    old,           // a read gives what stood there before the last change
    killed,        // the controller dies before it: throws Killed
    killed_half,   // in the middle of it, where it has one
    killed_after,  // after its effect
    power_cut,     // the host loses power before it: throws PowerCut
    power_cut_after
  };
  Kind kind = Kind::none;
  int lost_writes = 0;    // power cuts: how many of the last unsynced writes below /etc/pve are lost
  bool renumber = false;  // power cuts: node numbers have changed places after the boot
};

/// "fail-after"
std::string_view to_string(Fault::Kind kind);
std::optional<Fault::Kind> fault_kind(std::string_view word);

/// What a command that does only half of its work does: one of several options, a disable without its stop.
/// Nothing: it has no halves.
std::optional<std::vector<std::string>> half_of(std::vector<std::string> words);

/// Another actor's answer to a pct command: container, units and configuration as they were before it.
/// Nothing: it is about no container.
std::optional<Event> undo_event(const Model& model, const std::vector<std::string>& words);

}  // namespace interlock::mocks
