#include "pve/config.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "pve/perl_text.h"

namespace interlock::pve {
namespace {

constexpr std::string_view kPending = "pve:pending";

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z');
}

/// [pve:pending] in any case, or a snapshot's header; its name, or nothing.
std::optional<std::string> section_name(std::string_view line) {
  line = without_trailing_space(line);
  if (line.size() < 4 || line.front() != '[' || line.back() != ']') return std::nullopt;
  const std::string_view name = line.substr(1, line.size() - 2);
  if (lowered(name) == kPending) return std::string(kPending);
  const auto good = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; };
  if (!is_letter(name.front()) || !std::ranges::all_of(name, good)) return std::nullopt;
  return std::string(name);
}

/// `lxc.some.key: value` or `lxc.some.key = value`.
bool take_raw(std::string_view text, ConfigLine& line) {
  constexpr std::string_view kPrefix = "lxc.";
  if (!text.starts_with(kPrefix)) return false;
  const auto in_key = [](char c) { return is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; };
  const auto* end = std::ranges::find_if_not(text, in_key);
  const auto length = static_cast<std::size_t>(end - text.begin());
  if (length == kPrefix.size()) return false;
  std::string_view rest = text.substr(length);
  if (!rest.starts_with(':')) {
    rest = without_leading_space(rest);
    if (!rest.starts_with('=')) return false;
  }
  line.kind = ConfigLine::Kind::raw;
  line.key = text.substr(0, length);
  line.value = without_space(rest.substr(1));
  return true;
}

/// Anywhere in a line, and stronger than the key that the line begins with.
bool take_snapstate(std::string_view text, ConfigLine& line) {
  constexpr std::string_view kKey = "snapstate:";
  for (auto at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at + 1)) {
    const std::string_view value = without_space(text.substr(at + kKey.size()));
    if (value != "prepare" && value != "delete") continue;
    line.kind = ConfigLine::Kind::key;
    line.key = "snapstate";
    line.value = value;
    return true;
  }
  return false;
}

/// `key: value`: small letters and '_', then digits. A value of blanks alone is its last blank: Perl's
/// `\s*(.+?)\s*$` gives one back, and so "onboot:" before a CR is true.
bool take_key(std::string_view text, ConfigLine& line) {
  const auto* at = text.begin();
  if (text.empty() || !is_lower(text.front())) return false;
  at = std::find_if_not(at, text.end(), [](char c) { return is_lower(c) || c == '_'; });
  at = std::find_if_not(at, text.end(), is_digit);
  const auto length = static_cast<std::size_t>(at - text.begin());
  const std::string_view rest = text.substr(length);
  if (rest.size() < 2 || rest.front() != ':') return false;
  const std::string_view value = without_space(rest.substr(1));
  line.kind = ConfigLine::Kind::key;
  line.key = text.substr(0, length);
  line.value = value.empty() ? rest.substr(rest.size() - 1) : value;
  return true;
}

ConfigLine parse_line(std::string_view text, bool in_pending) {
  ConfigLine line;
  line.text = text;
  if (without_space(text).empty()) {
    line.kind = ConfigLine::Kind::blank;
  } else if (text.starts_with('#')) {
    line.kind = ConfigLine::Kind::comment;
  } else if (auto name = section_name(text)) {
    line.kind = ConfigLine::Kind::section;
    line.key = std::move(*name);
  } else if (!take_raw(text, line) && !take_snapstate(text, line) && take_key(text, line)) {
    if (line.key == "delete" && !in_pending) line.kind = ConfigLine::Kind::broken;
  }
  return line;
}

}  // namespace

const ConfigLine* ConfigSection::find(std::string_view key) const {
  const ConfigLine* found = nullptr;
  for (const ConfigLine& line : lines) {
    const bool has_key = line.kind == ConfigLine::Kind::key || line.kind == ConfigLine::Kind::raw;
    if (has_key && line.key == key) found = &line;
  }
  return found;
}

const ConfigSection* ConfigFile::pending() const {
  const ConfigSection* found = nullptr;
  for (const ConfigSection& section : sections) {
    if (section.name == kPending) found = &section;
  }
  return found;
}

std::vector<const ConfigSection*> ConfigFile::snapshots() const {
  std::vector<const ConfigSection*> found;
  for (const ConfigSection& section : sections) {
    if (!section.name.empty() && section.name != kPending) found.push_back(&section);
  }
  return found;
}

ConfigFile parse_config(std::string_view text) {
  ConfigFile config;
  config.ends_with_newline = text.empty() || text.ends_with('\n');
  config.sections.emplace_back();
  for (const std::string_view piece : lines_of(text)) {
    ConfigLine line = parse_line(piece, config.sections.back().name == kPending);
    if (line.kind == ConfigLine::Kind::section) config.sections.push_back({line.key, {}});
    config.sections.back().lines.push_back(std::move(line));
  }
  return config;
}

std::string config_text(const ConfigFile& config) {
  std::string text;
  for (const ConfigSection& section : config.sections) {
    for (const ConfigLine& line : section.lines) text += line.text + '\n';
  }
  if (!config.ends_with_newline && !text.empty()) text.pop_back();
  return text;
}

Settings settings_of(const ConfigSection& section) {
  Settings settings;
  for (const ConfigLine& line : section.lines) {
    if (line.kind == ConfigLine::Kind::key) settings[line.key] = line.value;
  }
  return settings;
}

std::vector<std::string> pending_deletes(const ConfigFile& config) {
  std::vector<std::string> keys;
  const ConfigSection* pending = config.pending();
  const ConfigLine* line = pending == nullptr ? nullptr : pending->find("delete");
  if (line == nullptr) return keys;
  std::string list = line->value;
  std::ranges::replace_if(list, [](char c) { return c == ',' || c == ';' || is_space(c); }, ' ');
  for (std::string_view key : words(list)) {
    if (key.starts_with('!')) key.remove_prefix(1);  // a forced delete
    keys.emplace_back(key);
  }
  return keys;
}

std::vector<std::string> pending_keys(const ConfigFile& config) {
  std::vector<std::string> keys = pending_deletes(config);
  if (const ConfigSection* pending = config.pending()) {
    for (const ConfigLine& line : pending->lines) {
      const bool has_key = line.kind == ConfigLine::Kind::key || line.kind == ConfigLine::Kind::raw;
      if (has_key && line.key != "delete") keys.push_back(line.key);
    }
  }
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  return keys;
}

bool truthy(std::string_view value) {
  constexpr std::array<std::string_view, 4> kFalse = {"0", "off", "no", "false"};
  return std::ranges::find(kFalse, lowered(value)) == kFalse.end();
}

bool has_onboot(const ConfigFile& config) {
  const auto set_in = [](const ConfigSection& section) {
    const ConfigLine* line = section.find("onboot");
    return line != nullptr && truthy(line->value);
  };
  return set_in(config.main()) || (config.pending() != nullptr && set_in(*config.pending()));
}

}  // namespace interlock::pve
