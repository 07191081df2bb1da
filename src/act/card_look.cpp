#include "act/card_look.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "observe/holders.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

constexpr Duration kPause = std::chrono::milliseconds(100);

/// Running containers whose configuration, or whose start, has the card. One that cannot be looked at may
/// have it.
std::set<Vmid> running_with(Host& host, const Policy& policy, const PciAddress& card) {
  std::set<Vmid> found;
  const auto state = observe::look(host, policy, {.units = false, .all_holders = false, .samples = false});
  if (!state) {
    for (const auto& [vmid, container] : policy.containers) found.insert(vmid);
    return found;
  }
  for (const Container& container : state->containers) {
    if (container.running == RunState::stopped) continue;
    if (container.binds(card) || container.generated_cards.contains(card)) found.insert(container.vmid);
  }
  return found;
}

}  // namespace

CardLook look_at_card(Host& host, const Policy& policy, const PciAddress& card) {
  CardLook look;
  auto found = observe::find_holders(host, observe::card_nodes(host), policy.guard.idle_memory, std::nullopt);
  if (!found) {
    look.blind = found.error().message;
    look.binding = running_with(host, policy, card);
    return look;
  }
  for (Holder& holder : found->holders) {
    if (holder.card != card) continue;
    auto& list = decide::is_spared(holder, ::getpid()) ? look.spared : look.holders;
    list.push_back(std::move(holder));
  }
  if (found->unknown.empty()) return look;
  look.binding = running_with(host, policy, card);
  for (UnknownHolder& unknown : found->unknown) {
    const auto& where = unknown.place.container;
    if (unknown.place.known && where && !look.binding.contains(*where)) continue;
    look.unknown.push_back(std::move(unknown));
  }
  return look;
}

CardLook look_until_empty(Host& host, const Policy& policy, const PciAddress& card, Instant end) {
  for (;;) {
    CardLook look = look_at_card(host, policy, card);
    const Instant now = host.now();
    if (look.empty() || now >= end) return look;
    host.wait(std::min<Duration>(kPause, end - now));
  }
}

std::vector<decide::ShedTarget> CardLook::targets() const {
  return decide::shed_targets(holders, unknown, binding, ::getpid());
}

std::set<Vmid> CardLook::containers() const {
  std::set<Vmid> found;
  for (const Holder& holder : holders) {
    if (holder.place.container) found.insert(*holder.place.container);
  }
  if (!unknown.empty() || !blind.empty()) found.insert(binding.begin(), binding.end());
  return found;
}

std::string CardLook::text() const {
  if (!blind.empty()) return "nobody can be looked for: " + blind;
  std::vector<std::string> names;
  for (const Holder& holder : holders) {
    const std::string container = holder.place.container ? holder.place.container->text() : "host";
    const std::string unit = holder.place.unit ? holder.place.unit->text() : holder.place.cgroup;
    names.push_back(
        fmt::format("{} (pid {}, {}/{})", printable(holder.command), holder.process.pid, container, unit));
  }
  for (const UnknownHolder& process : unknown)
    names.push_back(fmt::format("pid {}, unknown: {}", process.pid, process.why));
  return names.empty() ? "nobody" : joined(names, ", ");
}

}  // namespace interlock::act
