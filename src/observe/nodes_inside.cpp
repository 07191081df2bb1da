#include "observe/nodes_inside.h"

#include "base/text.h"
#include "observe/process_look.h"

namespace interlock::observe {
namespace {

/// By its number, which is the host's; below a root folder a node may be a plain file, known by its name.
std::optional<PciAddress> card_of(const CardNodes& nodes, const FolderEntry& entry) {
  if (!entry.info) return std::nullopt;
  if (entry.info->kind == FileInfo::Kind::character_device)
    return card_of_number(nodes, entry.info->device_major, entry.info->device_minor);
  if (entry.info->kind == FileInfo::Kind::file) return card_of_node(nodes, entry.name);
  return std::nullopt;
}

/// Its init; one that is no systemd stands in no unit.
Result<std::string> init_of(Host& host, Vmid vmid) {
  const std::string inside = fmt::format("/sys/fs/cgroup/lxc/{}/ns", vmid.text());
  auto pids = host.read_file(inside + "/init.scope/cgroup.procs");
  if (pids || !is_gone(pids.error())) return pids;
  return host.read_file(inside + "/cgroup.procs");
}

}  // namespace

Result<std::set<PciAddress>> cards_inside(Host& host, const CardNodes& nodes, Vmid vmid) {
  std::set<PciAddress> cards;
  const auto pids = init_of(host, vmid);
  if (!pids && is_gone(pids.error())) return cards;
  if (!pids) return std::unexpected(pids.error());
  for (const std::string_view pid : lines_of(*pids)) {
    const auto entries = host.list_with_info(fmt::format("/proc/{}/root/dev/dri", pid));
    if (!entries && is_gone(entries.error())) continue;
    if (!entries) return std::unexpected(entries.error());
    for (const FolderEntry& entry : *entries) {
      if (!entry.info && !is_gone(entry.info.error())) return std::unexpected(entry.info.error());
      if (const auto card = card_of(nodes, entry)) cards.insert(*card);
    }
  }
  return cards;
}

}  // namespace interlock::observe
