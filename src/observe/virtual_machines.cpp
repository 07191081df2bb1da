#include "observe/virtual_machines.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/text.h"
#include "host/paths.h"
#include "observe/untold.h"
#include "pve/config.h"
#include "pve/section_config.h"

namespace interlock::observe {
namespace {

constexpr const char* kMappings = "/etc/pve/mapping/pci.cfg";
constexpr std::string_view kConfigSuffix = ".conf";

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lowered;
}

/// "03:00.0" is of domain 0000.
std::string with_domain(std::string_view place) {
  const std::string lowered = lower(trimmed(place));
  return std::ranges::count(lowered, ':') == 1 ? "0000:" + lowered : lowered;
}

bool names(const std::string& place, const PciAddress& card) {
  return place == card.text() || card.text().starts_with(place + ".");
}

/// VMs that high availability starts. Nothing: it could not be told.
Result<std::set<Vmid>> started_by_ha(Host& host) {
  std::set<Vmid> started;
  const auto text = host.read_file(paths::kHaResources);
  if (!text && is_missing(text.error())) return started;
  if (!text) return std::unexpected(text.error());
  for (const pve::SectionBlock& block : TRY(pve::parse_section_config(*text))) {
    const auto vmid = Vmid::parse(block.id);
    if (block.type != "vm" || !vmid) continue;
    const std::string* state = block.find("state");
    if (state == nullptr || *state == "started" || *state == "enabled") started.insert(*vmid);
  }
  return started;
}

class Machines {
 public:
  Machines(Host& host, const Policy& policy, std::string node, std::vector<std::string>& cannot_tell)
      : host_(host), policy_(policy), node_(std::move(node)), cannot_tell_(cannot_tell) {}

  void look(Vmid vmid) {
    const auto text =
        host_.read_file(fmt::format("{}/{}{}", paths::kVirtualMachines, vmid.text(), kConfigSuffix));
    if (!text) {
      if (!is_missing(text.error()))
        cannot_tell_.push_back(
            untold(fmt::format("which cards VM {} has", vmid.text()), text.error().message));
      return;
    }
    const pve::ConfigFile config = pve::parse_config(*text);
    const std::set<PciAddress> cards = cards_of(config);
    if (cards.empty() || !may_run(config, vmid)) return;
    for (const PciAddress& card : cards) found[card].push_back("VM " + vmid.text());
  }

  std::map<PciAddress, std::vector<std::string>> found;

 private:
  /// In the main section, and in the pending one, which the next start applies.
  static bool counts(const pve::ConfigSection& section) {
    return section.name.empty() || lower(section.name) == "pending";
  }

  std::set<PciAddress> cards_of(const pve::ConfigFile& config) {
    std::set<PciAddress> cards;
    for (const pve::ConfigSection& section : config.sections) {
      if (!counts(section)) continue;
      for (const pve::ConfigLine& line : section.lines) {
        if (line.kind != pve::ConfigLine::Kind::key || !line.key.starts_with("hostpci")) continue;
        for (const std::string& place : places_of(line.value)) {
          for (const PolicyCard& card : policy_.cards) {
            if (names(place, card.pci)) cards.insert(card.pci);
          }
        }
      }
    }
    return cards;
  }

  std::vector<std::string> places_of(std::string_view value) {
    const HostPci device = parse_hostpci(value);
    if (device.mapping.empty()) return device.places;
    const auto text = host_.read_file(kMappings);
    if (text) return mapped_places(*text, device.mapping, node_);
    cannot_tell_.push_back(
        untold(fmt::format("which card the mapping {} is", device.mapping), text.error().message));
    return {};
  }

  bool may_run(const pve::ConfigFile& config, Vmid vmid) {
    const auto pid_file = host_.info(fmt::format("/var/run/qemu-server/{}.pid", vmid.text()));
    if (pid_file || !is_missing(pid_file.error())) return true;
    for (const pve::ConfigSection& section : config.sections) {
      const pve::ConfigLine* onboot = counts(section) ? section.find("onboot") : nullptr;
      if (onboot != nullptr && pve::truthy(onboot->value)) return true;
    }
    const auto managed = started_by_ha(host_);
    return !managed || managed->contains(vmid);
  }

  Host& host_;
  const Policy& policy_;
  std::string node_;
  std::vector<std::string>& cannot_tell_;
};

}  // namespace

HostPci parse_hostpci(std::string_view value) {
  HostPci device;
  for (const std::string_view part : split(value, ',')) {
    const auto equals = part.find('=');
    const std::string_view key = equals == std::string_view::npos ? "host" : trimmed(part.substr(0, equals));
    const std::string_view text = equals == std::string_view::npos ? part : part.substr(equals + 1);
    if (key == "mapping") device.mapping = trimmed(text);
    if (key != "host") continue;
    for (const std::string_view place : split(text, ';')) {
      if (!trimmed(place).empty()) device.places.push_back(with_domain(place));
    }
  }
  return device;
}

std::vector<std::string> mapped_places(std::string_view text, std::string_view name, std::string_view node) {
  std::vector<std::string> places;
  bool inside = false;
  for (const std::string_view line : lines_of(text)) {
    const auto parts = words(trimmed(line));
    if (parts.empty() || parts.front().starts_with('#')) continue;
    if (line.front() != ' ' && line.front() != '\t') {
      inside = parts.back() == name;  // "gpu1", or "pci: gpu1"
      continue;
    }
    if (!inside || parts.front() != "map" || parts.size() != 2) continue;
    std::vector<std::string> here;
    bool on_node = false;
    for (const std::string_view property : split(parts[1], ',')) {
      if (property == fmt::format("node={}", node)) on_node = true;
      if (!property.starts_with("path=")) continue;
      for (const std::string_view place : split(property.substr(5), ';')) here.push_back(with_domain(place));
    }
    if (on_node) places.insert(places.end(), here.begin(), here.end());
  }
  return places;
}

std::map<PciAddress, std::vector<std::string>> machines_with_cards(Host& host, const Policy& policy,
                                                                   const std::string& node,
                                                                   std::vector<std::string>& cannot_tell) {
  const auto names = host.list_folder(paths::kVirtualMachines);
  if (!names) {
    if (!is_missing(names.error()))
      cannot_tell.push_back(untold("which virtual machines there are", names.error().message));
    return {};
  }
  Machines machines(host, policy, node, cannot_tell);
  for (const std::string& name : *names) {
    if (!name.ends_with(kConfigSuffix)) continue;
    const auto vmid = Vmid::parse(std::string_view(name).substr(0, name.size() - kConfigSuffix.size()));
    if (vmid) machines.look(*vmid);
  }
  return std::move(machines.found);
}

}  // namespace interlock::observe
