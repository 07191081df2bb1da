#include "mocks/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/text.h"

namespace interlock::mocks {
namespace {

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

/// The name in "[name]"; nothing: the line is no header that Proxmox knows.
std::optional<std::string> header(std::string_view line) {
  if (!line.starts_with('[')) return std::nullopt;
  const std::string_view text = trimmed(line);
  if (text.size() < 4 || !text.ends_with(']')) return std::nullopt;
  const std::string_view name = text.substr(1, text.size() - 2);
  if (lowered(name) == "pve:pending") return "pve:pending";
  if (!is_lower(lower(name.front()))) return std::nullopt;
  const bool valid = std::ranges::all_of(
      name, [](char c) { return is_lower(lower(c)) || is_digit(c) || c == '_' || c == '-'; });
  return valid ? std::optional<std::string>(name) : std::nullopt;
}

bool known_raw_key(std::string_view key) {
  constexpr std::array kPrefixes = {
      "lxc.cgroup2.", "lxc.cgroup.",  "lxc.prlimit.",  "lxc.net.", "lxc.mount.",
      "lxc.hook.",    "lxc.start.",   "lxc.apparmor.", "lxc.cap.", "lxc.seccomp.",
      "lxc.console.", "lxc.signal.",  "lxc.init.",     "lxc.log.", "lxc.namespace.",
      "lxc.proc.",    "lxc.sysctl.",  "lxc.selinux.",  "lxc.tty.", "lxc.pty.",
      "lxc.monitor.", "lxc.execute.", "lxc.keyring.",  "lxc.uts.", "lxc.time."};
  constexpr std::array kNames = {"lxc.group",     "lxc.autodev",     "lxc.idmap",
                                 "lxc.include",   "lxc.environment", "lxc.arch",
                                 "lxc.ephemeral", "lxc.syslog",      "lxc.no_new_privs"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return key.starts_with(prefix); }) ||
         std::ranges::any_of(kNames, [&](std::string_view name) { return key == name; });
}

struct KeyValue {
  std::string key;
  std::string value;
};

std::optional<KeyValue> raw_line(std::string_view line) {
  if (!line.starts_with("lxc.")) return std::nullopt;
  const auto end = std::ranges::find_if_not(
      line, [](char c) { return is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; });
  const std::string_view key(line.begin(), end);
  std::string_view rest(end, line.end());
  if (key.size() == 4) return std::nullopt;
  if (!rest.starts_with(':')) {
    const auto sign = rest.find_first_not_of(" \t");
    if (sign == std::string_view::npos || rest[sign] != '=') return std::nullopt;
    rest.remove_prefix(sign);
  }
  return KeyValue{std::string(key), std::string(trimmed(rest.substr(1)))};
}

std::optional<KeyValue> key_line(std::string_view line) {
  if (line.empty() || !is_lower(line.front())) return std::nullopt;
  auto end = std::ranges::find_if_not(line, [](char c) { return is_lower(c) || c == '_'; });
  end = std::find_if_not(end, line.end(), is_digit);
  if (end == line.end() || *end != ':') return std::nullopt;
  const std::string_view value = trimmed(std::string_view(end + 1, line.end()));
  if (value.empty()) return std::nullopt;
  return KeyValue{std::string(line.begin(), end), std::string(value)};
}

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = text[i] == '%' ? parse_number<std::uint8_t>(text.substr(i + 1, 2), 16) : std::nullopt;
    if (byte && i + 2 < text.size()) {
      result += static_cast<char>(*byte);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

void print_section(std::string& out, const Section& section) {
  if (section.description) {
    for (const std::string_view line : lines_of(*section.description))
      out += fmt::format("#{}\n", encoded(line));
  }
  for (const auto& [key, value] : section.keys) out += fmt::format("{}: {}\n", key, value);
  for (const auto& [key, value] : section.raw) out += fmt::format("{}: {}\n", key, value);
}

void take_line(Section& section, std::string_view line, std::vector<std::string>& warnings) {
  if (line.starts_with('#')) {
    if (!section.description) section.description.emplace();
    *section.description += decoded(trimmed(line.substr(1))) + "\n";
  } else if (auto raw = raw_line(line)) {
    if (!known_raw_key(raw->key)) {
      warnings.emplace_back(line);
    } else {
      section.raw.emplace_back(std::move(raw->key), std::move(raw->value));
    }
  } else if (auto key = key_line(line)) {
    section.keys.insert_or_assign(std::move(key->key), std::move(key->value));
  } else {
    warnings.emplace_back(line);
  }
}

}  // namespace

std::string encoded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f || c == '%' || c == ':') {
      result += fmt::format("%{:02X}", byte);
    } else {
      result += c;
    }
  }
  return result;
}

Config parse(std::string_view text) {
  Config config;
  Section* section = &config.main;
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trimmed(line).empty()) continue;
    const auto name = header(line);
    if (!name) {
      take_line(*section, line, config.warnings);
    } else if (*name == "pve:pending") {
      config.pending = Section{
          .name = *name, .description = {}, .keys = {}, .raw = {}};  // a second one discards the first
      section = &config.pending;
    } else {
      section =
          &config.snapshots.emplace_back(Section{.name = *name, .description = {}, .keys = {}, .raw = {}});
    }
  }
  return config;
}

std::string print(const Config& config) {
  std::string out;
  print_section(out, config.main);
  if (!config.pending.keys.empty() || !config.pending.raw.empty()) {
    out += "\n[pve:pending]\n";
    print_section(out, config.pending);
  }
  std::vector<Section> snapshots = config.snapshots;
  std::ranges::sort(snapshots, {}, &Section::name);
  for (const Section& snapshot : snapshots) {
    out += fmt::format("\n[{}]\n", snapshot.name);
    print_section(out, snapshot);
  }
  return out;
}

std::shared_ptr<const Config> parsed(const std::string& text) {
  constexpr std::size_t kMost = 20'000;
  thread_local std::unordered_map<std::string, std::shared_ptr<const Config>> seen;
  const auto found = seen.find(text);
  if (found != seen.end()) return found->second;
  if (seen.size() > kMost) seen.clear();
  return seen.emplace(text, std::make_shared<const Config>(parse(text))).first->second;
}

bool truthy(const std::string& value) {
  const std::string word = lowered(value);
  return word != "0" && word != "off" && word != "no" && word != "false";
}

bool is_set(const Section& section, const std::string& key) {
  const auto found = section.keys.find(key);
  return found != section.keys.end() && truthy(found->second);
}

Config with_pending(Config config) {
  for (const auto& [key, value] : config.pending.keys) {
    if (key != "delete") config.main.keys.insert_or_assign(key, value);
  }
  if (const auto gone = config.pending.keys.find("delete"); gone != config.pending.keys.end()) {
    for (const std::string_view piece : split(gone->second, ',')) {
      std::string_view key = trimmed(piece);
      if (key.starts_with('!')) key.remove_prefix(1);  // a forced deletion
      config.main.keys.erase(std::string(key));
    }
  }
  config.pending.keys.clear();
  config.pending.raw.clear();
  return config;
}

}  // namespace interlock::mocks
