// Proxmox's files of blocks, "type: id" and indented properties below it (pve-common, SectionConfig.pm).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace interlock::pve {

struct SectionBlock {
  std::string type;
  std::string id;
  std::map<std::string, std::string, std::less<>> properties;
  const std::string* find(std::string_view key) const;
};

/// Blocks in the file's order. A line that is neither is an error with its number.
Result<std::vector<SectionBlock>> parse_section_config(std::string_view text);

}  // namespace interlock::pve
