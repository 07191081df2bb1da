// /etc/pve/lxc/<vmid>.conf: its lines as Proxmox reads them (pve-container, src/PVE/LXC/Config.pm,
// parse_pct_config; pct.md, section 2). Nothing is lost: the lines in order are the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/container.h"

namespace interlock::pve {

struct ConfigLine {
  enum class Kind {
    blank,
    comment,
    section,
    key,
    raw,
    broken
  };  // broken: Proxmox drops it at its next rewrite
  Kind kind = Kind::broken;
  std::string text;   // without its LF; a CR stays
  std::string key;    // key: "onboot"; raw: "lxc.mount.entry"; section: its name, "pve:pending"
  std::string value;  // as Proxmox takes it: trimmed
};

struct ConfigSection {
  std::string name;               // empty: the main section
  std::vector<ConfigLine> lines;  // its header line first, but in the main section
  /// Last one wins, as in Proxmox.
  const ConfigLine* find(std::string_view key) const;
};

struct ConfigFile {
  std::vector<ConfigSection> sections;  // main first
  bool ends_with_newline = true;
  const ConfigSection& main() const& { return sections.front(); }
  const ConfigSection& main() const&& = delete;  // it would dangle in the head of a range-for
  /// The one that counts: a second [pve:pending] makes Proxmox forget the first.
  const ConfigSection* pending() const;
  /// All others but the main section and pending ones.
  std::vector<const ConfigSection*> snapshots() const;
};

ConfigFile parse_config(std::string_view text);

/// The bytes that parse_config() was given.
std::string config_text(const ConfigFile& config);

/// Keys and their text in one section, the last of a key's lines; raw lxc lines are not among them.
Settings settings_of(const ConfigSection& section);

/// What [pve:pending] would change or take away: its keys, and those of its `delete:`, each once.
std::vector<std::string> pending_keys(const ConfigFile& config);
/// The keys of `delete:` alone.
std::vector<std::string> pending_deletes(const ConfigFile& config);

/// 0, off, no, false in any case: false. Everything else that is there: true (pct.md, section 2).
bool truthy(std::string_view value);

/// Main section or pending: what startall would start at the next boot, or after the next stop
/// (pct.md, 5.1, 5.18).
bool has_onboot(const ConfigFile& config);

}  // namespace interlock::pve
