#include "mocks/grants.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "base/text.h"

namespace interlock::mocks {
namespace {

using RawLines = std::vector<std::pair<std::string, std::string>>;

/// "\040" and the like, as lxc and fstab(5) take them.
std::string without_escapes(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = text[i] == '\\' ? parse_number<std::uint8_t>(text.substr(i + 1, 3), 8) : std::nullopt;
    if (code && i + 3 < text.size()) {
      result += static_cast<char>(*code);
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string by_path(const Card& card, std::string_view what) {
  return fmt::format("/dev/dri/by-path/pci-{}-{}", card.pci, what);
}

bool has_nodes(const Card& card) {
  return card.present && card.driver == "amdgpu";
}

/// The nodes that a source path brings: one, or all below a folder.
std::vector<DeviceNode> nodes_behind(const Model& model, std::string source) {
  while (source.size() > 1 && source.ends_with('/')) source.pop_back();
  std::vector<DeviceNode> found;
  const bool folder = source == "/dev/dri" || source == "/dev" || source == "/";
  for (DeviceNode& node : device_nodes(model)) {
    const Card& card = *model.card(node.pci);
    const bool primary = node.minor < 128;
    const bool linked = card.by_path && source == by_path(card, primary ? "card" : "render");
    if (folder || linked || source == node.path) found.push_back(std::move(node));
  }
  return found;
}

/// One devices.allow line against one node.
bool rule_allows(std::string_view rule, const DeviceNode& node) {
  const auto parts = words(rule);
  if (parts.empty()) return false;
  if (parts[0] == "a" || parts[0] == node.path) return true;
  if (parts[0] != "c" || parts.size() < 2) return false;
  const auto numbers = split(parts[1], ':');
  if (numbers.size() != 2) return false;
  return (numbers[0] == "*" || numbers[0] == "226") &&
         (numbers[1] == "*" || parse_number<unsigned>(numbers[1]) == node.minor);
}

bool permitted(const Section& main, const RawLines& raw, const DeviceNode& node) {
  if (is_set(main, "unprivileged")) return true;
  return std::ranges::any_of(raw, [&](const auto& line) {
    return (line.first == "lxc.cgroup2.devices.allow" || line.first == "lxc.cgroup.devices.allow") &&
           rule_allows(line.second, node);
  });
}

void add_device(const Model& model, const std::string& value, Grants& result) {
  const std::string path = device_path(value);
  const auto nodes = nodes_of_device(model, value);
  if (nodes.size() == 1) {
    result.cards.insert(nodes.front().pci);
  } else if (path.starts_with("/dev/dri")) {
    result.missing = path;
  }
}

void add_mount(const Model& model, const Section& main, const RawLines& raw, std::string_view value,
               Grants& result) {
  const auto parts = words(value);
  if (parts.empty()) return;
  const std::string source = without_escapes(parts[0]);
  const auto nodes = nodes_behind(model, source);
  const bool optional = parts.size() > 3 && std::ranges::count(split(parts[3], ','), "optional") > 0;
  const bool one_node = source.starts_with("/dev/dri/by-path/pci-") ||
                        source.starts_with("/dev/dri/renderD") || source.starts_with("/dev/dri/card");
  if (one_node && nodes.empty() && !optional) result.missing = source;
  for (const DeviceNode& node : nodes) {
    if (permitted(main, raw, node)) result.cards.insert(node.pci);
  }
}

bool autostart(const Section& main) {
  if (is_set(main, "template")) return false;
  return is_set(main, "onboot") || std::ranges::any_of(main.raw, [](const auto& line) {
           return line.first == "lxc.start.auto" && truthy(line.second);
         });
}

struct Claim {
  int vmid = 0;
  std::shared_ptr<const ContainerGrants> grants;
  const Container* container = nullptr;
  std::optional<std::string> ha;
};

bool started_by_ha(const Claim& claim) {
  return claim.ha && (*claim.ha == "started" || *claim.ha == "enabled");
}

void add_conflicts(const Model& model, const std::vector<Claim>& claims, const std::string& when,
                   const std::function<bool(const Claim&, const std::string&)>& holds,
                   std::vector<Breach>& found) {
  if (model.shared_cards) return;
  for (const Card& card : model.cards) {
    std::vector<int> holders;
    std::vector<std::string> names;
    int having = 0;
    for (const Claim& claim : claims) {
      if (!holds(claim, card.pci)) continue;
      holders.push_back(claim.vmid);
      names.push_back(std::to_string(claim.vmid));
      if (claim.container->live.contains(card.pci)) ++having;
    }
    if (holders.size() < 2) continue;
    const bool held = when == "now" && having >= 2;
    found.push_back({model.operations, "I1", when,
                     fmt::format("{} ({}) {} held by {}", card.id, card.pci, held ? "is" : "can be",
                                 joined(names, " and ")),
                     std::move(holders), held});
  }
}

std::vector<Claim> claims_of(const Model& model) {
  std::vector<Claim> claims;
  const std::string nodes = node_signature(model);
  for (const Container& container : model.containers) {
    const std::string* text = model.config(container.vmid);
    if (text == nullptr) continue;
    claims.push_back(
        {container.vmid, container_grants(model, nodes, *text), &container, ha_state(model, container.vmid)});
  }
  return claims;
}

bool holds_now(const Claim& claim, const std::string& pci) {
  const ContainerGrants& grants = *claim.grants;
  const bool starts = (grants.autostart && !claim.ha) || started_by_ha(claim);
  if (claim.container->running() && (claim.container->live.contains(pci) || grants.now.contains(pci)))
    return true;
  return starts && (grants.now.contains(pci) || grants.next_start.contains(pci));
}

bool holds_after_boot(const Claim& claim, const std::string& pci) {
  const bool starts = (claim.grants->autostart_next && !claim.ha) || started_by_ha(claim);
  return starts && claim.grants->next_start.contains(pci);
}

void add_units(const Model& model, std::vector<Breach>& found) {
  for (const Container& container : model.containers) {
    std::vector<std::string> live;
    std::vector<std::string> enabled;
    for (const Unit& unit : container.units) {
      if (!unit.declared || unit.cards == 0) continue;
      const bool starts = unit.file == "enabled";
      if (starts) enabled.push_back(unit.name);
      if (starts || unit.file == "enabled-runtime" ||
          (unit.active != "inactive" && unit.active != "failed")) {
        live.push_back(unit.name);
      }
    }
    const auto say = [&](const std::string& when, const std::vector<std::string>& names) {
      if (names.size() < 2) return;
      found.push_back(
          {model.operations,
           "I2",
           when,
           fmt::format("container {}: {} are enabled or active", container.vmid, joined(names, " and ")),
           {container.vmid}});
    };
    say("now", live);
    say("at the next boot", enabled);
  }
}

}  // namespace

std::vector<DeviceNode> device_nodes(const Model& model) {
  std::vector<DeviceNode> nodes;
  for (const Card& card : model.cards) {
    if (!has_nodes(card)) continue;
    nodes.push_back({card.pci, fmt::format("/dev/dri/card{}", card.card), static_cast<unsigned>(card.card)});
    nodes.push_back(
        {card.pci, fmt::format("/dev/dri/renderD{}", card.render), static_cast<unsigned>(card.render)});
  }
  return nodes;
}

bool is_device_key(std::string_view key) {
  return key.starts_with("dev") && key.size() > 3 && parse_number<unsigned>(key.substr(3)).has_value();
}

std::string device_path(std::string_view value) {
  std::string_view path = value.substr(0, value.find(','));
  if (path.starts_with("path=")) path.remove_prefix(5);
  return std::string(path);
}

std::vector<DeviceNode> nodes_of_device(const Model& model, std::string_view value) {
  std::vector<DeviceNode> nodes = nodes_behind(model, device_path(value));
  if (nodes.size() != 1) nodes.clear();  // a folder is no device
  return nodes;
}

Grants grants(const Model& model, const Section& main, const RawLines& raw) {
  Grants result;
  for (const auto& [key, value] : main.keys) {
    if (is_device_key(key)) add_device(model, value, result);
  }
  for (const auto& [key, value] : raw) {
    if (key == "lxc.mount.entry") add_mount(model, main, raw, value, result);
  }
  return result;
}

std::string node_signature(const Model& model) {
  std::string text;
  for (const Card& card : model.cards) {
    fmt::format_to(std::back_inserter(text), "{} {} {} {}{}\n", card.pci, card.card, card.render,
                   has_nodes(card), card.by_path);
  }
  return text;
}

std::shared_ptr<const ContainerGrants> container_grants(const Model& model, const std::string& nodes,
                                                        const std::string& config) {
  constexpr std::size_t kMost = 20'000;
  thread_local std::unordered_map<std::string, std::shared_ptr<const ContainerGrants>> seen;
  std::string key = nodes + config;
  if (const auto found = seen.find(key); found != seen.end()) return found->second;
  if (seen.size() > kMost) seen.clear();
  const auto config_now = parsed(config);
  const Config next = with_pending(*config_now);
  ContainerGrants result{.now = grants(model, config_now->main, config_now->main.raw).cards,
                         .next_start = grants(model, next.main, next.main.raw).cards,
                         .autostart = autostart(config_now->main),
                         .autostart_next = autostart(next.main)};
  return seen.emplace(std::move(key), std::make_shared<const ContainerGrants>(std::move(result)))
      .first->second;
}

std::optional<std::string> ha_state(const Model& model, int vmid) {
  const auto file = model.files.find("/etc/pve/ha/resources.cfg");
  if (file == model.files.end()) return std::nullopt;
  const std::string wanted = fmt::format("ct: {}", vmid);
  bool inside = false;
  std::optional<std::string> state;
  for (const std::string_view line : lines_of(file->second.text)) {
    if (!line.empty() && line.front() != ' ' && line.front() != '\t') {
      inside = trimmed(line) == wanted;
      if (inside) state = "started";
    } else if (const auto parts = words(line); inside && parts.size() == 2 && parts[0] == "state") {
      state = std::string(parts[1]);
    }
  }
  return state == "ignored" ? std::nullopt : state;
}

std::vector<Breach> breaches_now(const Model& model) {
  std::vector<Breach> found;
  const auto claims = claims_of(model);
  add_conflicts(model, claims, "now", holds_now, found);
  add_conflicts(model, claims, "at the next boot", holds_after_boot, found);
  add_units(model, found);
  return found;
}

}  // namespace interlock::mocks
