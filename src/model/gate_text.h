// What the gate writes and reads below /run/gpu-interlock, as text: a start that has passed it, and a
// person's word that opens it once.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "model/identity.h"

namespace interlock {

/// A start that passed the gate: it counts as a running container until its unit is inactive or its time is
/// over.
struct Claim {
  Vmid vmid;
  std::set<PciAddress> cards;
  std::string boot_id;
  Instant made_at{};
  bool by_unit = false;  // systemd started it, so that its unit's state tells when the start is over
  bool opened = false;   // by an allowance: the same start may pass the gate a second time, from lxc's hook
  bool operator==(const Claim&) const = default;
};

/// `gpu-interlock gate allow`: one start of one container, for a short time of one boot.
struct Allowance {
  Vmid vmid;
  std::string reason;
  std::string boot_id;
  Instant made_at{};
  bool operator==(const Allowance&) const = default;
};

std::string claim_text(const Claim& claim);
Result<Claim> parse_claim(std::string_view text);
std::string allowance_text(const Allowance& allowance);
Result<Allowance> parse_allowance(std::string_view text);

}  // namespace interlock
