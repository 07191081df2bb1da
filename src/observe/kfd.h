// ROCm's own kernel interface, whose work no fdinfo counts (amdgpu.md, 3.5): /sys/class/kfd/kfd.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/units.h"
#include "host/host.h"
#include "model/identity.h"

namespace interlock::observe {

struct KfdUse {
  Bytes memory = 0;
  bool queue = false;
  bool any() const { return memory > 0 || queue; }
};

/// What one process has of each card; cards of which it has nothing are among them.
struct KfdProcess {
  std::map<PciAddress, KfdUse> cards;
  std::string unclear;  // why some of it could not be told; empty: all was
};

class Kfd {
 public:
  /// Reads the topology: gpu_id to PCI address.
  explicit Kfd(Host& host);
  /// Processes with an entry, as the host's numbers. No KFD: none. An error: it could not be listed.
  Result<std::vector<Pid>> processes() const;
  KfdProcess look(Pid pid) const;

 private:
  void add_memory(KfdProcess& process, const std::string& folder, const std::string& file) const;
  void add_queue(KfdProcess& process, const std::string& folder) const;
  const PciAddress* card(KfdProcess& process, std::string_view gpu) const;

  Host& host_;
  std::map<std::string, PciAddress, std::less<>> cards_;  // by gpu_id
};

/// The PCI address in a topology node's `properties`; nothing: none there (a CPU's node).
std::optional<PciAddress> kfd_node_address(std::string_view properties);

}  // namespace interlock::observe
