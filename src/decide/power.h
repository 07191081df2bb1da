// A container's way up and down, as values: what a start, a stop and a boot make of it (pct.md, sections 1.4
// and 5).
#pragma once

#include <set>
#include <string_view>

#include "model/container.h"

namespace interlock::decide {

/// It would run after a boot of the host, without us and without the gate.
bool comes_up_at_boot(const Container& container);

/// The cards of lxc's own configuration when Proxmox generates it now: those of raw lines. Devices and mount
/// points are read from the container's configuration at each start (pct.md, section 2).
std::set<PciAddress> to_generate(const Container& container);

/// What each `pct set` and each start do: lxc's configuration is the container's again.
void regenerate(Container& container);

/// Running, pending settings applied, enabled units active. Units that are not known stay so.
void come_up(Container& container);

/// Stopped by Proxmox, whose post-stop hook applies pending settings. What is known of its units' files
/// stays known.
void go_down(Container& container);

/// Off with the power: nothing is applied before its next start.
void lose_power(Container& container);

/// As Proxmox reads a boolean: 0, off, no and false in any case are false, all else is true (pct.md,
/// section 2).
bool is_on(std::string_view value);

}  // namespace interlock::decide
