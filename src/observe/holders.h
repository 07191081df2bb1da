// Who has a card open, from /proc, fdinfo and KFD (amdgpu.md, section 3).
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/holder.h"
#include "observe/card_nodes.h"

namespace interlock::observe {

struct Holders {
  std::vector<Holder> holders;  // by card, then PID; one entry for each process and card
  std::vector<UnknownHolder> unknown;
};

/// `containers`: look only at processes below /sys/fs/cgroup/lxc/<vmid>; nothing: at all of /proc.
/// `uses` is judged by memory and KFD alone; engine_growth() adds what only two looks can tell.
/// Memory and engine time of a descriptor that several processes share are the latest-started one's.
Result<Holders> find_holders(Host& host, const CardNodes& nodes, Bytes idle_memory,
                             const std::optional<std::set<Vmid>>& containers);

/// Marks as users those whose engine time grew since `before`.
void engine_growth(std::vector<Holder>& now, const std::vector<Holder>& before);

}  // namespace interlock::observe
