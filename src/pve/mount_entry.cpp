#include "pve/mount_entry.h"

#include <algorithm>

#include "base/text.h"

namespace interlock::pve {
namespace {

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

/// \040 and the like; "\\" is one backslash (getmntent(3)).
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.size() >= 4 && rest[0] == '\\' && std::ranges::all_of(rest.substr(1, 3), is_octal)) {
      const auto code = parse_number<unsigned>(rest.substr(1, 3), 8);
      plain += static_cast<char>(static_cast<unsigned char>(*code & 0xffU));
      at += 3;
    } else if (rest.starts_with("\\\\")) {
      plain += '\\';
      at += 1;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

}  // namespace

std::optional<MountEntry> parse_mount_entry(std::string_view value) {
  const auto fields = words(trimmed(value));
  if (fields.size() < 2 || fields[0].starts_with('#')) return std::nullopt;
  MountEntry entry;
  entry.source = decoded(fields[0]);
  entry.target = decoded(fields[1]);
  if (!entry.target.starts_with('/')) entry.target.insert(0, 1, '/');
  if (fields.size() > 2) entry.type = decoded(fields[2]);
  if (fields.size() < 4) entry.bind = true;
  if (fields.size() > 3) {
    for (const std::string_view option : split(fields[3], ',')) {
      if (option == "bind" || option == "rbind") entry.bind = true;
      if (option == "optional") entry.optional = true;
      if (option == "relative") entry.relative = true;
    }
  }
  return entry;
}

}  // namespace interlock::pve
