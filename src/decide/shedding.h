// What to take down, in which order, so that a card comes free (design, section 4; 11.6). Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/container.h"
#include "model/holder.h"

namespace interlock::decide {

/// One thing to take the card from.
struct ShedTarget {
  enum class Kind { unit, process, container };  // container: an unknown holder, or a hot card without any
  Kind kind = Kind::unit;
  std::optional<Vmid> container;  // nothing: on the host
  std::optional<UnitName> unit;
  std::string cgroup;             // may be frozen and killed whole when `whole`
  bool whole = false;
  std::vector<ProcessId> processes;
  bool operator==(const ShedTarget&) const = default;
};

/// Units first, then lone processes; each once. PID 1, logind and `own` are never among them. An unknown holder adds
/// every running container of `binding`.
std::vector<ShedTarget> shed_targets(const std::vector<Holder>& holders, const std::vector<UnknownHolder>& unknown,
                                     const std::set<Vmid>& binding, Pid own);

}  // namespace interlock::decide
