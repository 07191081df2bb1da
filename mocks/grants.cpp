#include "mocks/grants.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string when(bool now) {
  return now ? "now" : "at the next boot";
}

bool starts_by_itself(bool autostart, const std::optional<std::string>& ha) {
  return ha ? *ha == "started" || *ha == "enabled" : autostart;
}

bool has(const Model& model, const Claim& claim, const std::string& pci) {
  const Container* container = model.container(claim.vmid);
  return container != nullptr && container->live.contains(pci);
}

bool holds_now(const Model& model, const Claim& claim, const std::string& pci) {
  const bool given = claim.grants->now.contains(pci);
  const Container* container = model.container(claim.vmid);
  const bool runs = container != nullptr && container->running();
  if (runs && (given || container->live.contains(pci))) return true;
  return claim.starts && (given || claim.grants->next_start.contains(pci));
}

bool holds_after_boot(const Model&, const Claim& claim, const std::string& pci) {
  return claim.starts_next && claim.grants->next_start.contains(pci);
}

template <class Holds>
void add_conflicts(const Model& model, const std::vector<Claim>& claims, bool now, Holds holds,
                   std::vector<Breach>& found) {
  if (model.shared_cards) return;
  for (const Card& card : model.cards) {
    const auto holds_it = [&](const Claim& claim) { return holds(model, claim, card.pci); };
    if (std::ranges::count_if(claims, holds_it) < 2) continue;
    Breach breach{.operation = model.operations, .invariant = "I1", .when = when(now), .text = {}};
    std::vector<std::string> names;
    int having = 0;
    for (const Claim& claim : claims) {
      if (!holds_it(claim)) continue;
      breach.containers.push_back(claim.vmid);
      names.push_back(std::to_string(claim.vmid));
      if (has(model, claim, card.pci)) ++having;
    }
    breach.held = now && having >= 2;
    breach.text = fmt::format("{} ({}) {} held by {}", card.id, card.pci, breach.held ? "is" : "can be",
                              joined(names, " and "));
    found.push_back(std::move(breach));
  }
}

bool is_live(const Unit& unit) {
  return unit.file == "enabled" || unit.file == "enabled-runtime" ||
         (unit.active != "inactive" && unit.active != "failed");
}

bool is_enabled(const Unit& unit) {
  return unit.file == "enabled";
}

void add_units(const Model& model, bool now, bool (*starts)(const Unit&), std::vector<Breach>& found) {
  for (const Container& container : model.containers) {
    const auto counts = [&](const Unit& unit) { return unit.declared && unit.cards > 0 && starts(unit); };
    if (std::ranges::count_if(container.units, counts) < 2) continue;
    std::vector<std::string> names;
    for (const Unit& unit : container.units) {
      if (counts(unit)) names.push_back(unit.name);
    }
    found.push_back(
        {model.operations,
         "I2",
         when(now),
         fmt::format("container {}: {} are enabled or active", container.vmid, joined(names, " and ")),
         {container.vmid}});
  }
}

}  // namespace

std::vector<Claim> claims_of(const Model& model) {
  std::vector<Claim> claims;
  const std::string nodes = node_signature(model);
  for (const Container& container : model.containers) {
    const std::string* text = model.config(container.vmid);
    if (text == nullptr) continue;
    auto given = container_grants(model, nodes, *text);
    const auto ha = ha_state(model, container.vmid);
    const bool starts = starts_by_itself(given->autostart, ha);
    const bool starts_next = starts_by_itself(given->autostart_next, ha);
    claims.push_back({container.vmid, std::move(given), starts, starts_next});
  }
  return claims;
}

bool has_nodes(const Card& card) {
  return card.present && card.driver == "amdgpu";
}

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

std::vector<Breach> breaches_now(const Model& model, const std::vector<Claim>& claims) {
  std::vector<Breach> found;
  add_conflicts(model, claims, true, holds_now, found);
  add_conflicts(model, claims, false, holds_after_boot, found);
  add_units(model, true, is_live, found);
  add_units(model, false, is_enabled, found);
  return found;
}

std::vector<Breach> breaches_now(const Model& model) {
  return breaches_now(model, claims_of(model));
}

}  // namespace interlock::mocks
