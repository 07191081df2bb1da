// I1 and I2 over a host state, as it is and as its next boot would make it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::decide {

struct Breach {
  std::string invariant;  // "I1", "I2"
  std::string message;
  std::set<Vmid> containers;
  std::optional<PciAddress> card;
  bool operator==(const Breach&) const = default;
};

/// What is certainly broken. Neither the ledger nor the gate counts for anything here: they are other layers.
std::vector<Breach> breaches(const HostState& state, const Policy& policy);

/// breaches(after_boot(state), policy), without making that state.
std::vector<Breach> boot_breaches(const HostState& state, const Policy& policy);

/// Where I2 may be broken and nobody can say, to be read behind "cannot tell": a container runs, or would,
/// and a unit of it has not said what it is. (I1 knows no such place: who may hold a card counts as holding
/// it.)
std::vector<std::string> cannot_tell(const HostState& state, const Policy& policy);

/// The host after a power cut and a boot without us and without the gate: who has autostart runs, pending
/// settings are applied, enabled units are active, nobody else runs. A container that comes up and whose
/// units are not known is `answered` without them: whoever asks for one gets nothing, which is not "retired".
HostState after_boot(const HostState& state);

}  // namespace interlock::decide
