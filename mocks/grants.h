// Which cards a configuration gives its container, and whether I1 and I2 hold: the mock's own judgement, made
// from the files themselves (pct.md, section 6), never from what the product thinks.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mocks/config.h"
#include "mocks/model.h"

namespace interlock::mocks {

/// A device node of a card.
struct DeviceNode {
  std::string pci;
  std::string path;  // "/dev/dri/renderD129"
  unsigned minor = 0;
};

/// It has its nodes.
bool has_nodes(const Card& card);
/// Every node that there is now.
std::vector<DeviceNode> device_nodes(const Model& model);

/// The node that a devN value names, if it is there; none of a card's: none.
std::vector<DeviceNode> nodes_of_device(const Model& model, std::string_view value);
/// "/dev/dri/renderD128" of "path=/dev/dri/renderD128,gid=44".
std::string device_path(std::string_view value);
/// "dev0" to "dev255".
bool is_device_key(std::string_view key);

/// What a start with this main section and these raw lines gives.
struct Grants {
  std::set<std::string> cards;         // visible and permitted
  std::optional<std::string> missing;  // a devN node, or a mount that is not optional, that is not there
};
Grants grants(const Model& model, const Section& main,
              const std::vector<std::pair<std::string, std::string>>& raw);

struct ContainerGrants {
  std::set<std::string> now;         // main section
  std::set<std::string> next_start;  // with [pve:pending] applied
  bool autostart = false;            // onboot or lxc.start.auto, in the main section
  bool autostart_next = false;       // with pending applied
};
/// Of a whole configuration text. `nodes` is node_signature(model): results are kept for texts and nodes seen
/// before.
std::shared_ptr<const ContainerGrants> container_grants(const Model& model, const std::string& nodes,
                                                        const std::string& config);
/// The cards' nodes as they are named now.
std::string node_signature(const Model& model);

/// "started", "stopped", ...: the HA resource's state, "started" where none is given; nothing: not managed,
/// or ignored.
std::optional<std::string> ha_state(const Model& model, int vmid);

/// What the configurations and HA give a container, and when it would start by itself: the part of a
/// judgement that changes only where somebody writes below /etc/pve, or nodes change places.
struct Claim {
  int vmid = 0;
  std::shared_ptr<const ContainerGrants> grants;
  bool starts = false;       // by itself, as things are now
  bool starts_next = false;  // and once what is pending is applied
};
std::vector<Claim> claims_of(const Model& model);

/// Every breach that stands at this moment, and at the boot that could follow it. What a power cut may lose
/// of the last writes leads back to an earlier state, which was judged in its time.
std::vector<Breach> breaches_now(const Model& model, const std::vector<Claim>& claims);
std::vector<Breach> breaches_now(const Model& model);

}  // namespace interlock::mocks
