// Virtual machines that take a card away from the host: `hostpciN` (pct.md, 6.K; design, 11.11).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.h"
#include "model/identity.h"
#include "policy/policy.h"

namespace interlock::observe {

/// What one `hostpciN:` value names (pve-manager: QemuServer/PCI.pm).
struct HostPci {
  std::vector<std::string> places;  // "0000:03:00.0", or "0000:03:00" for all functions of a slot; lower case
  std::string mapping;              // the name of a resource mapping instead
};
HostPci parse_hostpci(std::string_view value);

/// Places that the mapping `name` has on `node`, from /etc/pve/mapping/pci.cfg.
std::vector<std::string> mapped_places(std::string_view text, std::string_view name, std::string_view node);

/// VMs of this node that are bound to one of the policy's cards and run, or would start by themselves: "VM
/// 200".
std::map<PciAddress, std::vector<std::string>> machines_with_cards(Host& host, const Policy& policy,
                                                                   const std::string& node,
                                                                   std::vector<std::string>& cannot_tell);

}  // namespace interlock::observe
