#include "observe/card_nodes.h"

#include <algorithm>

#include "base/text.h"
#include "host/paths.h"

namespace interlock::observe {
namespace {

bool is_node(std::string_view name) {
  return name.starts_with("card") || name.starts_with("renderD");
}

std::optional<std::pair<unsigned, unsigned>> parse_device_number(std::string_view text) {
  const auto parts = split(trimmed(text), ':');
  if (parts.size() != 2) return std::nullopt;
  const auto major = parse_number<unsigned>(parts[0]);
  const auto minor = parse_number<unsigned>(parts[1]);
  if (!major || !minor) return std::nullopt;
  return std::pair(*major, *minor);
}

/// "card1" is minor 1, "renderD129" minor 129 (kernel: drivers/gpu/drm/drm_sysfs.c).
std::optional<unsigned> minor_in_name(std::string_view name) {
  const auto digits = name.find_first_of("0123456789");
  if (digits == std::string_view::npos) return std::nullopt;
  return parse_number<unsigned>(name.substr(digits));
}

/// The kernel's own word for it. A folder that stands for a host may have only the name; and where the word
/// cannot be understood, the name is better than none: without a number a binding would seem to be nobody's.
std::optional<std::pair<unsigned, unsigned>> number_of(Host& host, const std::string& folder,
                                                       const std::string& name) {
  if (const auto text = host.read_file(folder + "/" + name + "/dev")) {
    if (const auto number = parse_device_number(*text)) return number;
  }
  const auto minor = minor_in_name(name);
  if (!minor) return std::nullopt;
  return std::pair(kDrmMajor, *minor);
}

}  // namespace

CardNodes card_nodes(Host& host) {
  CardNodes nodes;
  const auto devices = host.list_folder(paths::kPciDevices);
  if (!devices) return nodes;  // no PCI at all: every card is absent
  for (const std::string& device : *devices) {
    const auto pci = PciAddress::parse(device);
    if (!pci) continue;
    const std::string folder = paths::pci_device(*pci) + "/drm";
    const auto names = host.list_folder(folder);
    if (!names) continue;
    for (const std::string& name : *names) {
      if (!is_node(name)) continue;
      nodes.names[*pci].push_back(name);
      if (const auto number = number_of(host, folder, name)) nodes.numbers.emplace(*number, *pci);
    }
  }
  return nodes;
}

std::optional<PciAddress> card_of_node(const CardNodes& nodes, std::string_view name) {
  for (const auto& [pci, names] : nodes.names) {
    if (std::ranges::find(names, name) != names.end()) return pci;
  }
  return std::nullopt;
}

std::optional<PciAddress> card_of_number(const CardNodes& nodes, unsigned major, unsigned minor) {
  const auto found = nodes.numbers.find({major, minor});
  if (found == nodes.numbers.end()) return std::nullopt;
  return found->second;
}

}  // namespace interlock::observe
