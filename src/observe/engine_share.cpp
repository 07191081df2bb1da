#include "observe/engine_share.h"

#include <map>
#include <set>

#include "observe/kfd.h"
#include "observe/process_look.h"

namespace interlock::observe {
namespace {

struct EngineTimes {
  Instant at{};
  std::map<PciAddress, std::uint64_t> of;  // a card whose engine time was not told is not in it
};
using Looks = std::map<ProcessId, EngineTimes>;

bool is_told(const Holder& holder) {
  return holder.memory && !holder.kfd_queue && (!holder.kfd_memory || *holder.kfd_memory == 0);
}

EngineTimes times_of(const ProcessLook& look, Instant now) {
  EngineTimes times{.at = now, .of = {}};
  for (const auto& [card, open] : look.cards) {
    if (open.untold || open.clients.empty()) continue;
    std::uint64_t sum = 0;
    for (const DrmClient& client : open.clients) {
      if (client.engine_ns) sum += *client.engine_ns;  // no such line: it has submitted nothing yet
    }
    times.of[card] = sum;
  }
  return times;
}

Looks look_at(Host& host, ProcessLooker& looker, const std::set<ProcessId>& processes) {
  Looks looks;
  for (const ProcessId& process : processes) {
    const auto look = looker.look(process.pid, false);
    if (look && *look && (*look)->process == process) looks[process] = times_of(**look, host.now());
  }
  return looks;
}

std::optional<unsigned> percent_between(const Looks& before, const Looks& after, const Holder& holder) {
  const auto first = before.find(holder.process);
  const auto second = after.find(holder.process);
  if (first == before.end() || second == after.end()) return std::nullopt;
  const auto earlier = first->second.of.find(holder.card);
  const auto later = second->second.of.find(holder.card);
  const Duration passed = second->second.at - first->second.at;
  if (earlier == first->second.of.end() || later == second->second.of.end() || passed <= Duration::zero())
    return std::nullopt;
  if (later->second < earlier->second) return std::nullopt;  // a client was closed meanwhile
  const double busy = static_cast<double>(later->second - earlier->second);
  return static_cast<unsigned>(busy * 100 / static_cast<double>(passed.count()) + 0.5);
}

}  // namespace

void measure_engines(Host& host, const CardNodes& nodes, std::vector<Card>& cards, Duration between) {
  std::set<ProcessId> processes;
  for (const Card& card : cards) {
    for (const Holder& holder : card.holders) {
      if (is_told(holder)) processes.insert(holder.process);
    }
  }
  if (processes.empty()) return;
  const Kfd kfd(host);
  ProcessLooker looker(host, nodes, kfd);
  const Looks before = look_at(host, looker, processes);
  host.wait(between);
  const Looks after = look_at(host, looker, processes);
  for (Card& card : cards) {
    for (Holder& holder : card.holders) {
      if (is_told(holder)) holder.engine_percent = percent_between(before, after, holder);
    }
  }
}

}  // namespace interlock::observe
