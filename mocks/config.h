// The mock's own reading and writing of a container configuration, after pve-container's
// src/PVE/LXC/Config.pm (pct.md, section 2). It shares nothing with the product's parser, so that the two
// cannot be wrong together.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace interlock::mocks {

struct Section {
  std::string name;
  std::optional<std::string> description;                // decoded, each line with its LF
  std::map<std::string, std::string> keys;               // last one wins
  std::vector<std::pair<std::string, std::string>> raw;  // lxc.*, in order
};

struct Config {
  Section main;
  Section pending;  // `delete` among its keys
  std::vector<Section> snapshots;
  std::vector<std::string> warnings;  // lines that mean nothing, and vanish at the next rewrite
};

Config parse(std::string_view text);
/// As Proxmox writes it: description, keys by name, raw lines in order, pending, snapshots by name.
std::string print(const Config& config);

/// The parse of a text seen before is kept: a run of many scenarios meets the same few texts.
std::shared_ptr<const Config> parsed(const std::string& text);

/// 0, off, no and false, in any case, are false; all else that is there is true.
bool truthy(const std::string& value);
/// A setting that must be there to be true.
bool is_set(const Section& section, const std::string& key);

/// The main section after [pve:pending] was applied, as at the next start.
Config with_pending(Config config);
/// Percent-encoding of descriptions.
std::string encoded(std::string_view text);

}  // namespace interlock::mocks
