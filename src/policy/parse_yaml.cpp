// Bytes to a YAML document. The only place where yaml-cpp throws.
#include <fmt/format.h>

#include "base/text.h"
#include "policy/reader.h"

namespace interlock {
namespace {

/// How many bytes the character at the front of `text` has; 0 where it is not UTF-8 (RFC 3629).
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  for (std::size_t at = 1; at < size; ++at) {
    if ((byte(at) & 0xc0) != 0x80) return 0;
  }
  // Forms longer than need be, surrogates, and what lies beyond U+10FFFF.
  const unsigned char second = byte(1);
  const bool bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                   (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return bad ? 0 : size;
}

bool is_control(char c) {
  return c == 0x7f || (c >= 0 && c < 0x20 && c != '\n' && c != '\r' && c != '\t');
}

/// yaml-cpp takes 0x04 for the end of the file and would drop, in silence, all that follows; NULs mean
/// UTF-16; and what is no UTF-8 may come out of it as something else.
bool complain_of_foreign_bytes(std::string_view text, Errors& errors) {
  Spot spot{1, 1};
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size == 0 || is_control(text.front())) {
      errors.add(spot, fmt::format("the byte 0x{:02x} has no place in a policy; it is plain UTF-8 text",
                                   static_cast<unsigned char>(text.front())));
      return true;
    }
    spot = text.front() == '\n' ? Spot{spot.line + 1, 1} : Spot{spot.line, spot.column + 1};
    text.remove_prefix(size);
  }
  return false;
}

/// The first line, up to `last`, that is indented with a tab: yaml-cpp stumbles over it later, and says
/// something else.
std::optional<Spot> tab_in_indentation(std::string_view text, int last) {
  int line = 0;
  for (const std::string_view content : lines_of(text)) {
    if (++line > last) break;
    const auto indentation = content.substr(0, content.find_first_not_of(" \t"));
    const auto tab = indentation.find('\t');
    if (tab != std::string_view::npos) return Spot{line, static_cast<int>(tab) + 1};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Entry> parse_yaml(std::string_view text, Errors& errors) {
  if (complain_of_foreign_bytes(text, errors)) return std::nullopt;
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.empty() || documents.front().IsNull()) {
      errors.add({1, 1}, "the policy is empty");
      return std::nullopt;
    }
    if (documents.size() > 1) {
      const YAML::Mark mark = documents[1].Mark();
      errors.add({mark.line + 1, mark.column + 1}, "a second YAML document begins here; a policy is one");
      return std::nullopt;
    }
    const YAML::Mark mark = documents.front().Mark();
    return Entry(documents.front(), {mark.line + 1, mark.column + 1}, "", errors);
  } catch (const YAML::Exception& exception) {
    const Spot spot =
        exception.mark.is_null() ? Spot{} : Spot{exception.mark.line + 1, exception.mark.column + 1};
    if (const auto tab = tab_in_indentation(text, spot.line)) {
      errors.add(*tab, "YAML is indented with blanks, and here stands a tab");
    } else {
      errors.add(spot, fmt::format("this is not YAML: {}", exception.msg));
    }
    return std::nullopt;
  }
}

}  // namespace interlock
