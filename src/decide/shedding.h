// What to take down, in which order, so that a card comes free (design, section 4; 11.6). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/container.h"
#include "model/holder.h"

namespace interlock::decide {

/// Steps of the ladder, in their order; each is left only when a look at the card, or its time, says so.
enum class Rung : std::uint8_t { freeze, stop_unit, kill, stop_container, kill_container, last_resort };
std::string_view to_string(Rung rung);  // "stop-unit"

/// One thing to take the card from. `kind` says what can be asked to stop, `whole` whether its cgroup may be
/// frozen and killed at once; where it may not, each of `processes` is signalled by itself.
struct ShedTarget {
  enum class Kind : std::uint8_t {
    unit,       // through the systemd that has it
    process,    // nobody to ask: a lone process, or the cgroup of a user's own unit
    container,  // somebody in it may hold the card, and it cannot be told who
  };
  Kind kind = Kind::unit;
  std::optional<Vmid> container;  // nothing: on the host
  std::optional<UnitName> unit;
  std::string cgroup;  // as the host sees it; empty: not known
  bool whole = false;
  std::vector<ProcessId> processes;
  bool operator==(const ShedTarget&) const = default;
  std::string text() const;  // "120/llamacpp.service", "pid 4711", "120", "host"
};

/// Units first, then processes, then containers, and in each kind those that use the card before those that
/// only have it open; each once. An unknown holder adds its container where that is known to bind the card,
/// and else every container of `binding`: the running ones that bind it. Who is spared is not among them.
std::vector<ShedTarget> shed_targets(const std::vector<Holder>& holders,
                                     const std::vector<UnknownHolder>& unknown, const std::set<Vmid>& binding,
                                     Pid own);

/// No rung touches this holder, and none waits for it: PID 1 and the systemd of a container, logind,
/// ourselves, virtual machines, and idle processes of the host. Such holders are reported.
bool is_spared(const Holder& holder, Pid own);

}  // namespace interlock::decide
