// /sys and /dev: the ways that lead to a card's folder, and cgroups.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text.h"
#include "mocks/grants.h"
#include "mocks/view.h"

namespace interlock::mocks::views {
namespace {

constexpr std::string_view kRootBus = "devices/pci0000:00";
constexpr int kFirstRender = 128;

/// 1 of "card1", 129 of "renderD129".
std::optional<int> minor_named(std::string_view name) {
  for (const std::string_view kind : {"card", "renderD"}) {
    if (name.starts_with(kind)) return parse_number<int>(name.substr(kind.size()));
  }
  return std::nullopt;
}

const Card* present_card(const Model& model, std::string_view pci) {
  const auto found =
      std::ranges::find_if(model.cards, [&](const Card& it) { return it.pci == pci && it.present; });
  return found == model.cards.end() ? nullptr : &*found;
}

std::vector<std::string> present_addresses(const Model& model) {
  std::vector<std::string> names;
  for (const Card& card : model.cards) {
    if (card.present) names.push_back(card.pci);
  }
  return names;
}

/// The links of a class folder, by name: "hwmon3" or "renderD128" to the card's folder.
std::map<std::string, std::string> class_links(const Model& model, std::string_view name) {
  std::map<std::string, std::string> links;
  for (const Card& card : model.cards) {
    if (!card.present || card.driver != "amdgpu") continue;
    if (name == "hwmon") {
      const std::string own = fmt::format("hwmon{}", card.hwmon);
      links[own] = fmt::format("../../{}/{}/hwmon/{}", kRootBus, card.pci, own);
    } else {
      for (const std::string& own :
           {fmt::format("card{}", card.card), fmt::format("renderD{}", card.render)}) {
        links[own] = fmt::format("../../{}/{}/drm/{}", kRootBus, card.pci, own);
      }
    }
  }
  return links;
}

Node from_links(const std::map<std::string, std::string>& links, std::string_view name) {
  if (name.empty()) {
    std::vector<std::string> names;
    for (const auto& entry : links) names.push_back(entry.first);
    return folder(std::move(names));
  }
  const auto found = links.find(std::string(name));
  return found == links.end() ? Node{} : link(found->second);
}

std::map<std::string, std::string> device_numbers(const Model& model) {
  std::map<std::string, std::string> links;
  for (const DeviceNode& node : device_nodes(model)) {
    links[fmt::format("226:{}", node.minor)] =
        fmt::format("../../{}/{}/drm/{}", kRootBus, node.pci, std::string_view(node.path).substr(9));
  }
  return links;
}

Node pci(const Model& model, std::string_view path) {
  if (path.empty()) return folder({"devices", "drivers"});
  if (path == "devices") return folder(present_addresses(model));
  if (path == "drivers") return folder({"amdgpu", "vfio-pci"});
  if (path == "drivers/amdgpu" || path == "drivers/vfio-pci") return folder({});
  const auto [name, address] = first_name(path);
  if (name != "devices" || present_card(model, address) == nullptr) return {};
  return link(fmt::format("../../../{}/{}", kRootBus, address));
}

/// The immediate children of a cgroup, from where its processes are and which are there while a container
/// runs.
std::vector<std::string> child_cgroups(const Model& model, const std::string& cgroup) {
  std::vector<std::string> names;
  const std::string from = cgroup + "/";
  const auto add = [&](std::string_view path) {
    if (path.starts_with(from)) names.emplace_back(first_name(path.substr(from.size())).first);
  };
  for (const Process& process : model.processes) add(process.cgroup);
  for (const Container& container : model.containers) {
    if (!container.running()) continue;
    add(fmt::format("/lxc/{}/ns/system.slice", container.vmid));
    for (const Unit& unit : container.units) {
      if (unit.active == "active") add(unit_cgroup(container.vmid, unit.name));
    }
  }
  return names;
}

bool cgroup_there(const Model& model, const std::string& cgroup) {
  if (cgroup.empty()) return true;
  if (std::ranges::any_of(model.processes, [&](const Process& it) { return below(it.cgroup, cgroup); }))
    return true;
  return std::ranges::any_of(model.containers, [&](const Container& container) {
    if (!container.running()) return false;
    if (below(fmt::format("/lxc/{}/ns/system.slice", container.vmid), cgroup)) return true;
    return std::ranges::any_of(container.units, [&](const Unit& unit) {
      return unit.active == "active" && below(unit_cgroup(container.vmid, unit.name), cgroup);
    });
  });
}

/// A cgroup that was removed and made again is another one.
std::uint64_t cgroup_inode(const Model& model, const std::string& cgroup) {
  std::uint64_t oldest = 0;
  for (const Process& process : model.processes) {
    if (below(process.cgroup, cgroup) && (oldest == 0 || process.started < oldest)) oldest = process.started;
  }
  return std::hash<std::string>{}(cgroup + std::to_string(oldest)) | 1;
}

}  // namespace

Node cgroup(const Model& model, std::string_view path, Ask ask) {
  constexpr std::array kFiles = {"cgroup.events", "cgroup.freeze", "cgroup.kill", "cgroup.procs"};
  const std::string whole = path.empty() ? std::string{} : fmt::format("/{}", path);
  const auto slash = whole.rfind('/');
  const std::string name = slash == std::string::npos ? std::string{} : whole.substr(slash + 1);
  const std::string group = slash == std::string::npos ? std::string{} : whole.substr(0, slash);
  if (name.starts_with("cgroup.")) {
    if (!cgroup_there(model, group)) return {};
    if (name == "cgroup.procs") {
      std::string text;
      for (const Process& process : model.processes) {
        if (process.cgroup == (group.empty() ? "/" : group)) text += fmt::format("{}\n", process.pid);
      }
      return file(std::move(text), 0644);
    }
    if (group.empty()) return {};
    if (name == "cgroup.events") {
      const bool populated =
          std::ranges::any_of(model.processes, [&](const Process& it) { return below(it.cgroup, group); });
      return file(fmt::format("populated {:d}\nfrozen {:d}\n", populated, is_frozen(model, group)));
    }
    if (name == "cgroup.freeze") return file(fmt::format("{:d}\n", model.frozen.contains(group)), 0644);
    if (name == "cgroup.kill") {
      Node node = file({}, 0200);
      node.error = EINVAL;
      return node;
    }
    return {};
  }
  if (!cgroup_there(model, whole)) return {};
  std::vector<std::string> names;
  if (ask == Ask::content) names = child_cgroups(model, whole);
  if (whole.empty()) {
    names.emplace_back("cgroup.procs");
  } else {
    names.insert(names.end(), kFiles.begin(), kFiles.end());
  }
  Node node = folder(std::move(names));
  node.inode = cgroup_inode(model, whole);
  return node;
}

Node sys(const Model& model, std::string_view path, Ask ask) {
  if (path.empty()) return folder({"bus", "class", "dev", "devices", "fs"});
  if (path == "bus") return folder({"pci"});
  if (path == "fs") return folder({"cgroup"});
  if (path == "class") {
    return model.kfd ? folder({"drm", "hwmon", "kfd"}) : folder({"drm", "hwmon"});
  }
  if (path == "dev") return folder({"char"});
  if (path == "devices") return folder({"pci0000:00"});
  if (path == kRootBus) return folder(present_addresses(model));
  if (path == "dev/char") return from_links(device_numbers(model), {});
  if (path == "class/kfd") return model.kfd ? folder({"kfd"}) : Node{};
  const auto after = [&](std::string_view prefix) -> std::optional<std::string_view> {
    if (!path.starts_with(prefix)) return std::nullopt;
    if (path.size() == prefix.size()) return std::string_view{};
    if (path[prefix.size()] != '/') return std::nullopt;
    return path.substr(prefix.size() + 1);
  };
  if (const auto rest = after(kRootBus)) {
    const auto [address, inside] = first_name(*rest);
    const Card* card = present_card(model, address);
    return card == nullptr ? Node{} : card_folder(model, *card, inside, ask);
  }
  if (const auto rest = after("fs/cgroup")) return cgroup(model, *rest, ask);
  if (const auto rest = after("bus/pci")) return pci(model, *rest);
  if (const auto rest = after("class/hwmon")) return from_links(class_links(model, "hwmon"), *rest);
  if (const auto rest = after("class/drm")) return from_links(class_links(model, "drm"), *rest);
  if (const auto rest = after("dev/char")) return from_links(device_numbers(model), *rest);
  if (const auto rest = after("class/kfd/kfd"); rest && model.kfd) return kfd(model, *rest, ask);
  return {};
}

Node dev(const Model& model, std::string_view path, Ask) {
  if (path.empty())
    return folder(model.kfd ? std::vector<std::string>{"dri", "kfd", "null"}
                            : std::vector<std::string>{"dri", "null"});
  const auto device = [](unsigned major, unsigned minor) {
    Node node;
    node.kind = Node::Kind::device;
    node.mode = 0660;
    node.major = major;
    node.minor = minor;
    return node;
  };
  if (path == "null") return device(1, 3);
  if (path == "kfd" && model.kfd) return device(234, 0);
  if (!path.starts_with("dri")) return {};
  if (const auto minor = minor_named(path.substr(std::min<std::size_t>(4, path.size())))) {
    for (const Card& card : model.cards) {
      const int number = *minor < kFirstRender ? card.card : card.render;
      if (has_nodes(card) && number == *minor) return device(226, static_cast<unsigned>(number));
    }
    return {};
  }
  std::vector<std::string> names;
  std::map<std::string, std::string> links;
  for (const DeviceNode& node : device_nodes(model)) {
    const std::string name = node.path.substr(9);
    names.push_back(name);
    if (model.card(node.pci)->by_path) {
      links[fmt::format("pci-{}-{}", node.pci, node.minor < kFirstRender ? "card" : "render")] = "../" + name;
    }
  }
  if (path == "dri") {
    names.emplace_back("by-path");
    return folder(std::move(names));
  }
  if (path == "dri/by-path") return from_links(links, {});
  if (path.starts_with("dri/by-path/")) return from_links(links, path.substr(12));
  return {};
}

}  // namespace interlock::mocks::views
