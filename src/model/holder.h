// A process that has a card open.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "model/identity.h"

namespace interlock {

/// A process, told apart from a later one with the same number by its start time (proc(5), stat field 22,
/// ticks).
struct ProcessId {
  Pid pid = 0;
  std::uint64_t started = 0;
  auto operator<=>(const ProcessId&) const = default;
};

/// Where a process lives, read from its cgroup (pct.md, section 4).
struct Place {
  std::optional<Vmid> container;  // nothing: a process of the host
  std::optional<UnitName> unit;   // the innermost service or scope; nothing: outside any unit
  std::string cgroup;             // "/lxc/120/ns/system.slice/llamacpp.service", as the host sees it
  bool known = true;              // false: the path told from inside a namespace, or not readable
  bool whole = false;  // a leaf .service, docker or libpod scope: may be frozen or killed whole (11.6)
  bool operator==(const Place&) const = default;
};

struct Holder {
  ProcessId process;
  std::string command;  // comm
  PciAddress card;
  Place place;
  std::optional<Bytes> memory;             // VRAM and GTT of this card; nothing: could not be told
  std::optional<std::uint64_t> engine_ns;  // sum of drm-engine-*; nothing: no such line
  std::optional<Bytes> kfd_memory;         // nothing: no KFD entry of this card
  bool kfd_queue = false;
  Truth uses = Truth::unknown;     // no: an idle holder
  std::optional<Bytes> evicted{};  // amd-evicted-vram: pushed out to system memory; nothing: not told
  std::optional<unsigned> engine_percent{};  // engine time by time between two looks, all engines together;
                                             // nothing: one look only, or work that fdinfo does not count
  bool operator==(const Holder&) const = default;
};

/// A process that we may not look into: it may hold any card.
struct UnknownHolder {
  Pid pid = 0;
  Place place;
  std::string why;
  bool operator==(const UnknownHolder&) const = default;
};

}  // namespace interlock
