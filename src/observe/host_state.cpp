#include "observe/host_state.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "host/paths.h"
#include "observe/cards.h"
#include "observe/containers.h"
#include "observe/gate_places.h"
#include "observe/governors.h"
#include "observe/holders.h"
#include "observe/own_state.h"
#include "observe/second_opinion.h"
#include "observe/sensors.h"
#include "observe/untold.h"
#include "observe/virtual_machines.h"
#include "observe/workers.h"

namespace interlock::observe {
namespace {

constexpr mode_t kWritable = 0200;

void read_cluster(Host& host, HostState& state) {
  const auto local = host.info(paths::kPveLocal);
  if (!local && !is_missing(local.error())) {
    state.cannot_tell.push_back(untold("whether /etc/pve is mounted", local.error().message));
    return;
  }
  // Not mounted, /etc/pve is an empty folder; and root is told that it may write whatever is so (pct.md,
  // section 3).
  const bool mounted = local && local->kind == FileInfo::Kind::link;
  state.pve_mounted = truth(mounted);
  if (mounted) state.quorate = truth((local->mode & kWritable) != 0);
}

void read_backup_lock(Host& host, HostState& state) {
  const auto locked = host.is_locked(paths::kBackupLock);
  if (locked)
    state.backup_running = truth(*locked);
  else
    state.cannot_tell.push_back(untold("whether a backup runs", locked.error().message));
}

/// One that cannot be read stays among the others, and says so: its cards are anybody's guess.
Container unreadable_container(Vmid vmid, const ContainerContext& context, const std::string& why) {
  Container container{.vmid = vmid};
  if (context.running)
    container.running = context.running->contains(vmid) ? RunState::running : RunState::stopped;
  container.unprovable.push_back(why);
  return container;
}

void read_containers(Host& host, const Policy& policy, const LookFor& wanted, const ContainerContext& context,
                     const std::vector<Vmid>& vmids, HostState& state) {
  for (const Vmid vmid : vmids) {
    auto container = read_container(host, context, vmid, state.cannot_tell);
    if (!container && is_missing(container.error()))
      continue;  // destroyed, or moved to another node, meanwhile
    if (!container) {
      state.cannot_tell.push_back(
          untold(fmt::format("what container {} is given", vmid.text()), container.error().message));
      container = unreadable_container(vmid, context, container.error().message);
    } else if (wanted.units) {
      read_units(host, policy, *container);
    }
    state.containers.push_back(*std::move(container));
  }
}

/// Containers in whose cgroups a holder is looked for when not everybody is looked at.
std::set<Vmid> containers_with_cards(const Policy& policy, const HostState& state) {
  std::set<Vmid> vmids;
  for (const Container& container : state.containers) {
    const bool declared = policy.containers.contains(container.vmid);
    const auto gives_card = [](const Binding& binding) { return binding.when != Binding::When::latent; };
    if (declared || std::ranges::any_of(container.bindings, gives_card) ||
        !container.generated_cards.empty()) {
      vmids.insert(container.vmid);
    }
  }
  return vmids;
}

void read_holders(Host& host, const Policy& policy, const LookFor& wanted, const CardNodes& nodes,
                  HostState& state) {
  std::optional<std::set<Vmid>> where;
  if (!wanted.all_holders) where = containers_with_cards(policy, state);
  auto found = find_holders(host, nodes, policy.guard.idle_memory, where);
  if (!found) {
    state.cannot_tell.push_back(untold("who holds the cards", found.error().message));
    state.unknown_holders.push_back({.pid = 0, .place = {}, .why = found.error().message});
    return;
  }
  state.unknown_holders = std::move(found->unknown);
  for (Holder& holder : found->holders) {
    const auto card = std::ranges::find(state.cards, holder.card, &Card::pci);
    if (card != state.cards.end()) card->holders.push_back(std::move(holder));
  }
}

/// It reads in this process, and would wait for ever for a card that hangs.
void ask_libsensors(HostState& state) {
  const auto hangs = [](const Card& card) { return card.sample && timed_out(*card.sample); };
  if (std::ranges::none_of(state.cards, hangs)) return read_second_opinion(state.cards);
  state.cannot_tell.push_back("libsensors was not asked for its opinion: a card does not answer");
}

std::set<Vmid> declared_containers(const Policy& policy) {
  std::set<Vmid> vmids;
  for (const auto& [vmid, container] : policy.containers) vmids.insert(vmid);
  return vmids;
}

}  // namespace

Result<HostState> look(Host& host, const Policy& policy, const LookFor& wanted) {
  HostState state;
  state.boot_id =
      trimmed(TRY(in_context(host.read_file(paths::kBootId), "cannot tell this boot from others")));
  const auto vmids =
      TRY(in_context(list_containers(host), "cannot see the containers; is pve-cluster running?"));
  read_cluster(host, state);
  read_backup_lock(host, state);

  const ContainerContext context = container_context(host, state.cannot_tell);
  state.node = context.node;
  for (const PolicyCard& card : policy.cards) {
    state.cards.push_back(look_at_card(host, context.nodes, card, wanted.samples, state.cannot_tell));
  }
  if (wanted.second_opinion && !host.rooted()) ask_libsensors(state);
  read_containers(host, policy, wanted, context, vmids, state);
  read_holders(host, policy, wanted, context.nodes, state);
  state.vms = machines_with_cards(host, policy, state.node, state.cannot_tell);
  state.workers = workers_on(host, declared_containers(policy), state.cannot_tell);
  state.governors = read_governors(host);
  read_ledger(host, state);
  read_latches(host, policy, state);
  state.gate_gaps = gate_gaps(host);
  state.taken_at =
      host.now();  // behind every sample: one that seemed to come from the future would not count
  read_guard(host, state);
  read_open_cutover(host, state);
  return state;
}

Result<Container> look_at_container(Host& host, const Policy& policy, Vmid vmid, bool units) {
  std::vector<std::string> unseen;  // what matters of it is in the container as unknown
  const ContainerContext context = container_context(host, unseen);
  Container container = TRY(read_container(host, context, vmid, unseen));
  if (units) read_units(host, policy, container);
  return container;
}

Result<void> pct_present(Host& host) {
  const auto found = host.info(paths::kPct, true);
  if (!found) return std::unexpected(in_context(found.error(), "Proxmox's pct cannot be used"));
  return {};
}

}  // namespace interlock::observe
