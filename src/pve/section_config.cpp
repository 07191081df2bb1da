#include "pve/section_config.h"

#include "base/text.h"
#include "pve/perl_text.h"

namespace interlock::pve {
namespace {

/// "type: id", from the line's first byte on.
bool take_header(std::string_view line, SectionBlock& block) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view type = line.substr(0, colon);
  const std::string_view id = without_space(line.substr(colon + 1));
  const auto has_space = [](std::string_view text) {
    return text.find_first_of(kPerlSpace) != std::string_view::npos;
  };
  if (id.empty() || has_space(type) || has_space(id)) return false;
  block.type = type;
  block.id = id;
  return true;
}

}  // namespace

const std::string* SectionBlock::find(std::string_view key) const {
  const auto found = properties.find(key);
  return found == properties.end() ? nullptr : &found->second;
}

Result<std::vector<SectionBlock>> parse_section_config(std::string_view text) {
  std::vector<SectionBlock> blocks;
  bool inside = false;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const std::string_view content = without_space(line);
    if (content.starts_with('#')) continue;
    if (content.empty()) {
      inside = false;
    } else if (!is_space(line.front())) {
      SectionBlock block;
      if (!take_header(line, block)) return fail("line {}: '{}' begins no block", number, printable(line));
      blocks.push_back(std::move(block));
      inside = true;
    } else if (inside) {
      const auto end = std::min(content.find_first_of(kPerlSpace), content.size());
      blocks.back().properties[std::string(content.substr(0, end))] = without_space(content.substr(end));
    } else {
      return fail("line {}: '{}' stands outside any block", number, printable(content));
    }
  }
  return blocks;
}

}  // namespace interlock::pve
