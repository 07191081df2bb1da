#include "pve/cgroup_path.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace interlock::pve {
namespace {

constexpr std::string_view kDeleted = " (deleted)";

/// The path of one line's "number:controllers:path".
struct HierarchyLine {
  std::string_view controllers;
  std::string_view path;
};

std::optional<HierarchyLine> parse_hierarchy(std::string_view line) {
  const auto first = line.find(':');
  if (first == std::string_view::npos || !parse_number<unsigned>(line.substr(0, first))) return std::nullopt;
  const auto second = line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  HierarchyLine found{line.substr(first + 1, second - first - 1), line.substr(second + 1)};
  if (!found.path.starts_with('/')) return std::nullopt;
  return found;
}

/// The unified hierarchy's path where it says anything, else systemd's own (pct.md, section 4).
std::optional<std::string_view> path_of(std::string_view text) {
  std::optional<std::string_view> unified;
  std::optional<std::string_view> systemd;
  for (const std::string_view line : lines_of(text)) {
    const auto found = parse_hierarchy(line);
    if (!found) continue;
    if (!unified && line.starts_with("0::")) unified = found->path;
    if (!systemd && found->controllers == "name=systemd") systemd = found->path;
  }
  if (unified && *unified != "/") return unified;
  return systemd ? systemd : unified;
}

/// systemd puts '_' before a name that the kernel could take for a file of its own.
std::string_view unescaped(std::string_view component) {
  if (component.starts_with('_')) component.remove_prefix(1);
  return component;
}

bool is_service(std::string_view component) {
  return component.ends_with(".service");
}
bool is_unit(std::string_view component) {
  return is_service(component) || component.ends_with(".scope");
}
bool is_user_manager(std::string_view component) {
  return component.starts_with("user@") && is_service(component);
}

/// Index of the component that names the innermost unit.
std::optional<std::size_t> unit_at(const std::vector<std::string_view>& components) {
  const auto manager = std::find_if(components.rbegin(), components.rend(), is_user_manager);
  if (manager != components.rend()) {  // below a user's own systemd: its last unit, or itself
    const auto unit = std::find_if(components.rbegin(), components.rend(), is_unit);
    return static_cast<std::size_t>(components.rend() - unit) - 1;
  }
  const auto first =
      std::ranges::find_if_not(components, [](std::string_view c) { return c.ends_with(".slice"); });
  if (first == components.end() || !is_unit(*first)) return std::nullopt;
  return static_cast<std::size_t>(first - components.begin());
}

bool is_engine_scope(std::string_view component) {
  return component.ends_with(".scope") &&
         (component.starts_with("docker-") || component.starts_with("libpod-"));
}

bool is_hex_id(std::string_view component) {
  return component.size() == 64 && component.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// A cgroup with one service, or one docker or podman container, and nothing else (11.6).
bool is_whole(const std::vector<std::string_view>& components) {
  if (components.empty()) return false;
  const std::string_view last = components.back();
  if (is_service(last)) return !is_user_manager(last);
  if (is_engine_scope(last)) return true;
  if (components.size() < 2) return false;
  const std::string_view parent = components[components.size() - 2];
  if (parent == "docker") return is_hex_id(last);
  return last == "container" && is_engine_scope(parent);
}

}  // namespace

Place place_of_path(std::string_view path) {
  Place place;
  if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  place.cgroup = path;
  std::vector<std::string_view> components = split(path, '/');
  const bool from_inside = std::ranges::find(components, "..") != components.end();
  std::erase(components, "");
  place.known = path.starts_with('/') && !from_inside;
  if (!place.known) return place;

  if (components.size() > 1 && components[0] == "lxc") {
    place.container = Vmid::parse(components[1]);
    if (!place.container) {
      place.known = false;  // a container that is not Proxmox's
      return place;
    }
    components.erase(components.begin(), components.begin() + 2);
    if (!components.empty() && components[0] == "ns") components.erase(components.begin());
  }
  std::ranges::transform(components, components.begin(), unescaped);
  if (const auto at = unit_at(components)) place.unit = UnitName::parse(components[*at]);
  place.whole = is_whole(components) && (place.unit || !is_service(components.back()));
  return place;
}

Place place_of(std::string_view text) {
  if (const auto path = path_of(text)) return place_of_path(*path);
  Place place;
  place.known = false;
  return place;
}

}  // namespace interlock::pve
