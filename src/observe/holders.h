// Who has a card open, from /proc, fdinfo and KFD (amdgpu.md, section 3).
#pragma once

#include <map>
#include <set>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/holder.h"
#include "policy/policy.h"

namespace interlock::observe {

struct Holders {
  std::vector<Holder> holders;          // by card, then PID; one entry for each process and card
  std::vector<UnknownHolder> unknown;
};

/// Device numbers and node names of the cards, as the host has them now.
struct CardNodes {
  std::map<PciAddress, std::vector<std::string>> names;         // names in <BDF>/drm/
  std::map<std::pair<unsigned, unsigned>, PciAddress> numbers;  // major, minor
};
CardNodes card_nodes(Host& host);  // of every card in the machine, the policy's or not

/// `containers`: look only at processes below /sys/fs/cgroup/lxc/<vmid>; nothing: at all of /proc.
/// `uses` is judged by memory and KFD alone; engine_growth() adds what only two looks can tell.
Result<Holders> find_holders(Host& host, const CardNodes& nodes, Bytes idle_memory,
                             const std::optional<std::set<Vmid>>& containers);

/// Marks as users those whose engine time grew since `before`.
void engine_growth(std::vector<Holder>& now, const std::vector<Holder>& before);

}  // namespace interlock::observe
