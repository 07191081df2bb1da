// The same temperatures by libsensors, for the audit: where both disagree, one of them reads another sensor
// or card (amdgpu.md, section 4). With an empty configuration, since a host's own may rename and recompute
// what it shows.
#pragma once

#include <optional>
#include <vector>

#include "model/host_state.h"

namespace interlock::observe {

/// Fills second_opinion of each card that is awake. Reads the machine's own /sys, and holds libsensors'
/// global state while it does: of one thread at a time.
void read_second_opinion(std::vector<Card>& cards);

/// libsensors' number of a PCI chip: domain, bus, slot and function in one.
std::optional<PciAddress> pci_of_chip(int address);

}  // namespace interlock::observe
