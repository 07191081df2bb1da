#include "decide/plan_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "decide/plan.h"

namespace interlock::decide {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::string_view without_number(std::string_view key) {
  while (!key.empty() && is_digit(key.back())) key.remove_suffix(1);
  return key;
}

/// The host's path that a line names.
std::string_view source_of(const KeyLine& line) {
  if (!is_numbered(line.key)) {
    const auto fields = words(line.value);
    return fields.empty() ? std::string_view() : fields.front();
  }
  std::string_view path = line.value.substr(0, line.value.find(','));
  for (const std::string_view name : {"path=", "volume="}) {
    if (path.starts_with(name)) path.remove_prefix(name.size());
  }
  return path;
}

/// "card" or "renderD"; nothing: no node's name.
std::string_view node_kind(std::string_view name) {
  const std::string_view kind = without_number(name);
  return kind.size() < name.size() && (kind == "card" || kind == "renderD") ? kind : std::string_view();
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool names_folder(const KeyLine& line) {
  constexpr std::array<std::string_view, 4> kFolders = {"", "/dev", "/dev/dri", "/dev/dri/by-path"};
  std::string_view source = source_of(line);
  while (source.ends_with('/')) source.remove_suffix(1);
  return std::ranges::find(kFolders, source) != kFolders.end() || line.value.contains("create=dir") ||
         line.key.starts_with("mp");
}

std::string with_node(std::string_view line, std::string_view from, std::string_view to) {
  std::string made;
  for (;;) {
    const auto at = line.find(from);
    made += line.substr(0, at);
    if (at == std::string_view::npos) return made;
    line.remove_prefix(at + from.size());
    made += line.empty() || !is_digit(line.front()) ? to : from;
  }
}

const std::string* node_of(const Card* card, std::string_view kind) {
  if (card == nullptr) return nullptr;
  const auto found =
      std::ranges::find_if(card->nodes, [&](const std::string& node) { return node_kind(node) == kind; });
  return found == card->nodes.end() ? nullptr : &*found;
}

/// The same binding: Proxmox writes "=" as ": ", and devN may have been given another number.
bool same_line(std::string_view left, std::string_view right) {
  if (left == right) return true;
  const KeyLine a = key_line(left);
  const KeyLine b = key_line(right);
  const bool numbered = is_numbered(a.key) && is_numbered(b.key);
  return a.value == b.value && (numbered ? without_number(a.key) == without_number(b.key) : a.key == b.key);
}

/// One mount entry, but for the number of the node inside.
bool same_but_number(std::string_view left, std::string_view right) {
  const KeyLine a = key_line(left);
  const KeyLine b = key_line(right);
  auto fields = words(a.value);
  auto others = words(b.value);
  if (a.key != b.key || fields.size() < 2 || others.size() < 2) return false;
  fields[1] = without_number(fields[1]);
  others[1] = without_number(others[1]);
  return fields == others;
}

/// The line that we write for one node of a card (design, section 3).
std::string mount_entry(const PciAddress& card, const std::string& node) {
  return fmt::format("lxc.mount.entry: /dev/dri/by-path/pci-{}-{} dev/dri/{} none bind,optional,create=file",
                     card.text(), node_kind(node) == "renderD" ? "render" : "card", node);
}

/// The line as it must read today; nothing: it cannot give this card, or would give more than is wanted.
std::optional<std::string> as_of_today(const HostState& state, const Policy& policy, const Change& change,
                                       const PciAddress& card, const std::string& text) {
  const KeyLine line = key_line(text);
  if (names_folder(line)) {
    const bool all = std::ranges::all_of(
        policy.cards, [&](const PolicyCard& known) { return change.cards_after.contains(known.pci); });
    return all ? std::optional(text) : std::nullopt;
  }
  const std::string_view name = last_part(source_of(line));
  if (name.starts_with("pci-")) {
    if (!name.contains(card.text())) return std::nullopt;
    // In the form that we write, the node has the host's name inside, and that may be another since the boot.
    for (const std::string_view kind : {"renderD", "card"}) {
      const std::string* node = node_of(state.card(card), kind);
      const std::string_view inside = last_part(words(line.value).size() > 1 ? words(line.value)[1] : "");
      if (node == nullptr || node_kind(inside) != kind) continue;
      const std::string ours = mount_entry(card, *node);
      if (same_line(with_node(text, inside, *node), ours)) return ours;
    }
    return text;
  }
  const std::string_view kind = node_kind(name);
  if (kind.empty()) return text;  // a link of the owner's own making
  const std::string* node = node_of(state.card(card), kind);
  if (node == nullptr) return std::nullopt;
  return with_node(text, name, *node);
}

std::vector<std::string> lines_once(const HostState& state, const Policy& policy, const Change& change,
                                    const PciAddress& card,
                                    const std::map<PciAddress, std::vector<std::string>>& kept) {
  std::vector<std::string> lines;
  const auto found = kept.find(card);
  if (found == kept.end()) return lines;
  for (const std::string& line : found->second) {
    const auto stands = [&](const std::string& it) {
      return std::ranges::any_of(change.stays,
                                 [&](const Binding& binding) { return same_line(binding.line, it); });
    };
    if (stands(line)) continue;
    const auto today = as_of_today(state, policy, change, card, line);
    if (today && !stands(*today)) lines.push_back(*today);
  }
  return lines;
}

Result<std::vector<std::string>> new_lines(const HostState& state, const Policy& policy, const Change& change,
                                           const PciAddress& card) {
  const Card* seen = state.card(card);
  const std::string* render = node_of(seen, "renderD");
  if (render == nullptr) {
    return fail("{} has no render node{}, so it cannot be written into the configuration of container {}",
                policy.card_name(card),
                seen == nullptr || !seen->present ? ": it is not in this machine" : "",
                change.now->vmid.text());
  }
  std::vector<const std::string*> nodes = {render};
  if (const std::string* primary = node_of(seen, "card")) nodes.push_back(primary);

  const auto declared = policy.containers.find(change.now->vmid);
  const BindStyle style =
      declared == policy.containers.end() ? BindStyle::mount_entry : declared->second.bind;
  std::vector<std::string> lines;
  for (const std::string* node : nodes) {
    // A device entry's number comes later.
    lines.push_back(style == BindStyle::device ? "dev0: /dev/dri/" + *node : mount_entry(card, *node));
  }
  return lines;
}

/// Keys of numbered lines that are free once `change.release` is out: its own number where it can be, or the
/// first.
void number_lines(const Change& change, std::vector<std::string>& lines) {
  std::set<std::string> taken;
  for (const auto& [key, value] : change.now->settings) taken.insert(key);
  taken.insert(change.now->pending.begin(), change.now->pending.end());
  for (const Binding& binding : change.release) taken.erase(std::string(key_line(binding.line).key));
  for (std::string& text : lines) {
    const KeyLine line = key_line(text);
    if (!is_numbered(line.key)) continue;
    std::string key(line.key);
    for (int number = 0; taken.contains(key); ++number)
      key = fmt::format("{}{}", without_number(line.key), number);
    taken.insert(key);
    text = fmt::format("{}: {}", key, line.value);
  }
}

}  // namespace

KeyLine key_line(std::string_view line) {
  const auto end = line.find_first_of(":=");
  if (end == std::string_view::npos) return {trimmed(line), {}};
  return {trimmed(line.substr(0, end)), trimmed(line.substr(end + 1))};
}

bool is_numbered(std::string_view key) {
  return without_number(key).size() < key.size() && !key.starts_with("lxc.");
}

std::vector<std::string> lines_missing(const HostState& state, const Policy& policy, const Change& change,
                                       const PciAddress& card) {
  return lines_once(state, policy, change, card, change.want->lines);
}

bool has_outdated_line(const HostState& state, const Policy& policy, const Change& change,
                       const PciAddress& card) {
  const auto missing = lines_missing(state, policy, change, card);
  return std::ranges::any_of(change.stays, [&](const Binding& binding) {
    return std::ranges::any_of(missing,
                               [&](const std::string& line) { return same_but_number(binding.line, line); });
  });
}

Result<std::vector<std::string>> lines_to_bind(const HostState& state, const Policy& policy,
                                               const Change& change) {
  std::vector<std::string> lines;
  for (const PciAddress& card : change.gains) {
    std::vector<std::string> of_card = lines_missing(state, policy, change, card);
    if (of_card.empty()) of_card = lines_once(state, policy, change, card, change.now->keepsake.lines);
    if (of_card.empty()) of_card = TRY(new_lines(state, policy, change, card));
    for (std::string& line : of_card) {  // a folder's line is kept under each of its cards
      const auto same = [&](const std::string& other) { return same_line(other, line); };
      if (std::ranges::none_of(lines, same)) lines.push_back(std::move(line));
    }
  }
  number_lines(change, lines);
  return lines;
}

Binding binding_of(const HostState& state, const Policy& policy, const std::string& line,
                   const std::vector<PciAddress>& cards) {
  const KeyLine read = key_line(line);
  Binding binding;
  binding.line = line;
  binding.source = source_of(read);
  if (is_numbered(read.key)) {
    binding.form = read.key.starts_with("dev") ? Binding::Form::device : Binding::Form::mount_point;
  }
  if (names_folder(read)) {
    binding.every_card = true;
    for (const PolicyCard& card : policy.cards) binding.cards.insert(card.pci);
    return binding;
  }
  const std::string_view name = last_part(binding.source);
  for (const PciAddress& card : cards) {
    const Card* seen = state.card(card);
    const bool by_path = name.starts_with("pci-") && name.contains(card.text());
    const bool by_node = seen != nullptr && std::ranges::find(seen->nodes, name) != seen->nodes.end();
    if (by_path || by_node) binding.cards = {card};
  }
  if (binding.cards.empty()) binding.cards.insert(cards.begin(), cards.end());
  return binding;
}

}  // namespace interlock::decide
