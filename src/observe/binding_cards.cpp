#include "observe/binding_cards.h"

#include <algorithm>

namespace interlock::observe {
namespace {

constexpr std::string_view kNodeFolder = "/dev/dri";

bool is_node_path(std::string_view path) {
  return path.starts_with("/dev/dri/");
}

std::string_view last_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// Binding it brings /dev/dri along.
bool holds_node_folder(std::string_view folder) {
  return folder == "/" || folder == "/dev" || folder == kNodeFolder;
}

std::optional<pve::DeviceNumber> number_of(Host& host, const CardNodes& nodes, const std::string& path) {
  const auto info = host.info(path, true);
  if (info && info->kind == FileInfo::Kind::character_device) {
    return pve::DeviceNumber{info->device_major, info->device_minor};
  }
  // Below a root folder a node may be a plain file, known by its name.
  const auto real = host.real_path(path);
  if (!real || !is_node_path(*real)) return std::nullopt;
  const auto card = card_of_node(nodes, last_name(*real));
  if (!card) return std::nullopt;
  for (const auto& [number, pci] : nodes.numbers) {
    const bool render = last_name(*real).starts_with("renderD");
    if (pci == *card && (number.second >= 128) == render)
      return pve::DeviceNumber{number.first, number.second};
  }
  return std::nullopt;
}

std::optional<PciAddress> card_of_found(const CardNodes& nodes, const FileInfo& info, std::string_view path) {
  if (info.kind == FileInfo::Kind::character_device)
    return card_of_number(nodes, info.device_major, info.device_minor);
  if (info.kind == FileInfo::Kind::file && is_node_path(path)) return card_of_node(nodes, last_name(path));
  return std::nullopt;
}

/// Nodes that somebody made in a folder of his own. Links are not followed: inside the container they lead
/// elsewhere.
void add_nodes_in(Host& host, const CardNodes& nodes, const std::string& folder, PathCards& found) {
  const auto names = host.list_folder(folder);
  if (!names) {
    found.unclear = names.error().message;
    return;
  }
  for (const std::string& name : *names) {
    const std::string path = folder + "/" + name;
    const auto info = host.info(path);
    if (!info) continue;  // removed meanwhile
    if (const auto card = card_of_found(nodes, *info, path)) found.cards.insert(*card);
  }
}

/// Which of the grant's cards the device rules let a process use, and which they do not.
struct Split {
  std::set<PciAddress> permitted;
  std::set<PciAddress> refused;
};

class Binder {
 public:
  Binder(Host& host, const CardNodes& nodes, const pve::Grants& given)
      : host_(host), nodes_(nodes), given_(given) {}

  Split split(const pve::Grant& grant, const PathCards& found) const {
    Split cards;
    for (const PciAddress& card : found.cards) {
      (permits(grant, card) ? cards.permitted : cards.refused).insert(card);
    }
    return cards;
  }

 private:
  bool permits(const pve::Grant& grant, const PciAddress& card) const {
    const auto resolve = [this](const std::string& path) { return number_of(host_, nodes_, path); };
    const auto allowed = [&](const pve::DeviceNumber& number) {
      return pve::permitted(given_, grant, number, resolve);
    };
    const auto own = resolve(grant.source);
    if (own && own->major == kDrmMajor) return allowed(*own);
    bool any_number = false;
    for (const auto& [number, pci] : nodes_.numbers) {
      if (pci != card) continue;
      any_number = true;
      if (allowed({number.first, number.second})) return true;
    }
    return !any_number;  // a card without a node now: nothing shows that it will be refused
  }

  Host& host_;
  const CardNodes& nodes_;
  const pve::Grants& given_;
};

Binding binding_of(const pve::Grant& grant, const PathCards& found, std::set<PciAddress> cards,
                   bool permitted) {
  return {.form = grant.form,
          .when = grant.when,
          .line = grant.line,
          .source = grant.source,
          .cards = std::move(cards),
          .every_card = found.every_card,
          .permitted = permitted,
          .live_after_removal = grant.until_stop};
}

}  // namespace

PathCards cards_at(Host& host, const CardNodes& nodes, const std::string& path) {
  PathCards found;
  if (!path.starts_with('/')) return found;  // "proc", "tmpfs": no path
  const auto real = host.real_path(path);
  if (!real) {
    // A card that has gone, or has not come yet, is still named by its link.
    if (const auto named = pve::card_in_name(path)) {
      found.cards.insert(*named);
    } else if (!is_missing(real.error())) {
      found.unclear = real.error().message;
    }
    return found;
  }
  if (holds_node_folder(*real)) {
    found.every_card = true;
    for (const auto& [card, names] : nodes.names) found.cards.insert(card);
    return found;
  }
  const auto info = host.info(*real);
  if (!info) {
    if (!is_missing(info.error())) found.unclear = info.error().message;
  } else if (info->kind == FileInfo::Kind::folder) {
    add_nodes_in(host, nodes, *real, found);
  } else if (const auto card = card_of_found(nodes, *info, *real)) {
    found.cards.insert(*card);
  }
  return found;
}

BoundCards bound_cards(Host& host, const CardNodes& nodes, const pve::Grants& given, RunState running) {
  BoundCards bound;
  const Binder binder(host, nodes, given);
  for (const pve::Grant& grant : given.grants) {
    if (grant.until_stop && running == RunState::stopped) continue;
    const PathCards found = cards_at(host, nodes, grant.source);
    if (!found.unclear.empty()) bound.unprovable.push_back(grant.line + ": " + found.unclear);
    if (found.cards.empty() && !found.every_card && !is_node_path(grant.source)) continue;
    Split cards = binder.split(grant, found);
    const bool one_refused = !cards.refused.empty();
    if (one_refused) bound.bindings.push_back(binding_of(grant, found, std::move(cards.refused), false));
    if (!one_refused || !cards.permitted.empty()) {
      bound.bindings.push_back(binding_of(grant, found, std::move(cards.permitted), true));
    }
  }
  return bound;
}

}  // namespace interlock::observe
