#include "observe/holders.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "observe/kfd.h"
#include "observe/process_look.h"
#include "observe/processes.h"

namespace interlock::observe {
namespace {

/// Which process a client's memory is counted for. A display manager's helper keeps copies of the descriptors
/// that it handed on, and started before those who use them.
class Owners {
 public:
  explicit Owners(const std::vector<ProcessLook>& looks) {
    for (const ProcessLook& look : looks) {
      const ProcessAge age(look.process.started, look.process.pid);
      for (const auto& [card, open] : look.cards) {
        for (const DrmClient& client : open.clients) {
          if (!client.id) continue;
          ProcessAge& owner = owners_[{card, *client.id}];
          owner = std::max(owner, age);
        }
      }
    }
  }
  bool owns(const ProcessId& process, const PciAddress& card, const DrmClient& client) const {
    return !client.id || owners_.at({card, *client.id}) == ProcessAge(process.started, process.pid);
  }

 private:
  using ProcessAge = std::pair<std::uint64_t, Pid>;
  std::map<std::pair<PciAddress, std::uint64_t>, ProcessAge> owners_;
};

/// Nothing and something is something.
void add(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& part) {
  if (part) sum = sum ? *sum + *part : *part;
}

Holder holder_of(const ProcessLook& look, const PciAddress& card, const OpenCard& open, const Owners& owners,
                 Bytes idle_memory) {
  Holder holder{.process = look.process,
                .command = look.command,
                .card = card,
                .place = look.place,
                .memory = {},
                .engine_ns = {},
                .kfd_memory = {},
                .kfd_queue = open.kfd && open.kfd->queue,
                .uses = Truth::unknown,
                .evicted = {}};
  if (open.kfd) holder.kfd_memory = open.kfd->memory;
  bool untold = open.untold;
  Bytes memory = 0;
  for (const DrmClient& client : open.clients) {
    if (!owners.owns(look.process, card, client)) continue;
    if (client.memory) {
      memory += *client.memory;
    } else {
      untold = true;
    }
    add(holder.engine_ns, client.engine_ns);
    add(holder.evicted, client.evicted);
  }
  if (!untold && !open.clients.empty()) holder.memory = memory;
  if (memory > idle_memory || (open.kfd && open.kfd->any())) {
    holder.uses = Truth::yes;
  } else if (holder.memory) {
    holder.uses = Truth::no;
  }
  return holder;
}

struct ToLookAt {
  std::vector<Pid> pids;
  std::vector<UnknownHolder> unknown;
};

Result<ToLookAt> processes_to_look_at(Host& host, const std::optional<std::set<Vmid>>& containers) {
  ToLookAt wanted;
  if (!containers) {
    wanted.pids = TRY(all_processes(host));
    return wanted;
  }
  for (const Vmid vmid : *containers) {
    CgroupProcesses found = container_processes(host, vmid);
    wanted.pids.insert(wanted.pids.end(), found.pids.begin(), found.pids.end());
    for (std::string& why : found.unlistable) {
      Place place;
      place.container = vmid;
      wanted.unknown.push_back({.pid = 0, .place = std::move(place), .why = std::move(why)});
    }
  }
  std::ranges::sort(wanted.pids);
  return wanted;
}

/// KFD counts a process until its memory is given back, which may be after its end.
void add_ended(Host& host, const Kfd& kfd, const std::vector<Pid>& entries, Holders& found) {
  for (const Pid pid : entries) {
    const auto there = host.info(fmt::format("/proc/{}", pid));
    if (there || !is_missing(there.error())) continue;
    const KfdProcess process = kfd.look(pid);
    for (const auto& [card, use] : process.cards) {
      if (!use.any()) continue;
      found.unknown.push_back({.pid = pid,
                               .place = {},
                               .why = fmt::format("it has ended, and KFD has not given back its {} of {}",
                                                  bytes_text(use.memory), card.text())});
    }
  }
}

}  // namespace

Result<Holders> find_holders(Host& host, const CardNodes& nodes, Bytes idle_memory,
                             const std::optional<std::set<Vmid>>& containers) {
  ToLookAt wanted = TRY(processes_to_look_at(host, containers));
  Holders found;
  found.unknown = std::move(wanted.unknown);
  const Kfd kfd(host);
  std::vector<Pid> entries;
  if (auto listed = kfd.processes()) {
    entries = *std::move(listed);
    std::ranges::sort(entries);
  } else {
    found.unknown.push_back({.pid = 0, .place = {}, .why = listed.error().message});
  }

  ProcessLooker looker(host, nodes, kfd);
  std::vector<ProcessLook> looks;
  for (const Pid pid : wanted.pids) {
    auto look = looker.look(pid, std::ranges::binary_search(entries, pid));
    if (!look) {
      found.unknown.push_back({.pid = pid, .place = looker.place(pid), .why = look.error().message});
    } else if (*look) {
      if (!(*look)->unclear.empty()) {
        found.unknown.push_back({.pid = pid, .place = (*look)->place, .why = (*look)->unclear});
      }
      looks.push_back(**std::move(look));
    }
  }
  if (!containers) add_ended(host, kfd, entries, found);

  const Owners owners(looks);
  for (const ProcessLook& look : looks) {
    for (const auto& [card, open] : look.cards) {
      found.holders.push_back(holder_of(look, card, open, owners, idle_memory));
    }
  }
  const auto by_card = [](const Holder& holder) { return std::tie(holder.card, holder.process); };
  std::ranges::sort(found.holders, {}, by_card);
  return found;
}

void engine_growth(std::vector<Holder>& now, const std::vector<Holder>& before) {
  for (Holder& holder : now) {
    const auto earlier = std::ranges::find_if(before, [&](const Holder& other) {
      return other.process == holder.process && other.card == holder.card;
    });
    if (earlier == before.end() || !holder.engine_ns) continue;
    // A client that told its memory and no engine time had submitted nothing yet (amdgpu.md, 3.3).
    const bool first_work = !earlier->engine_ns && earlier->memory;
    if (first_work || (earlier->engine_ns && *holder.engine_ns > *earlier->engine_ns))
      holder.uses = Truth::yes;
  }
}

}  // namespace interlock::observe
