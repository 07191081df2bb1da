// One container: its configuration, what that gives it, whether it runs, what would start it, and its units.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/host.h"
#include "model/container.h"
#include "observe/card_nodes.h"
#include "policy/policy.h"
#include "pve/vzdump_jobs.h"

namespace interlock::observe {

/// What is read once for all containers.
struct ContainerContext {
  CardNodes nodes;
  std::string node;                       // empty: unknown
  std::optional<std::set<Vmid>> running;  // nothing: it could not be told
  std::optional<std::map<Vmid, std::string>>
      managed;  // by high availability: state; nothing: it could not be told
  std::vector<pve::VzdumpJob> jobs;
  pve::Pools pools;
};
ContainerContext container_context(Host& host, std::vector<std::string>& cannot_tell);

/// VMIDs with a configuration on this node, in order. An error: the folder cannot be listed.
Result<std::vector<Vmid>> list_containers(Host& host);

/// Without its units. An error: its configuration cannot be read; is_missing() where it is not there.
Result<Container> read_container(Host& host, const ContainerContext& context, Vmid vmid,
                                 std::vector<std::string>& cannot_tell);

/// Fills units_answer, units_error and units.
void read_units(Host& host, const Policy& policy, Container& container);

}  // namespace interlock::observe
