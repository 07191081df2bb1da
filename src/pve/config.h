// /etc/pve/lxc/<vmid>.conf: its lines as Proxmox reads them (pve-container, src/PVE/LXC/Config.pm, parse_pct_config;
// pct.md, section 2). Nothing is lost: the lines in order are the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/container.h"

namespace interlock::pve {

struct ConfigLine {
  enum class Kind { blank, comment, section, key, raw, broken };
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
  const ConfigSection& main() const { return sections.front(); }
  const ConfigSection* pending() const;
};

ConfigFile parse_config(std::string_view text);

/// 0, off, no, false in any case: false. Everything else that is there: true (pct.md, section 2).
bool truthy(std::string_view value);

}  // namespace interlock::pve
