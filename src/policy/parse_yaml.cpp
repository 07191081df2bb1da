// Bytes to a YAML document. The only place where yaml-cpp throws.
#include <fmt/format.h>

#include "base/text.h"
#include "policy/reader.h"

namespace interlock {
namespace {

/// yaml-cpp takes 0x04 for the end of the file and would drop, in silence, all that follows; NULs mean
/// UTF-16.
bool complain_of_control_characters(std::string_view text, Errors& errors) {
  Spot spot{1, 1};
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0x7f || (byte < 0x20 && c != '\n' && c != '\r' && c != '\t')) {
      errors.add(spot,
                 fmt::format("the byte 0x{:02x} has no place in a policy; it is plain UTF-8 text", byte));
      return true;
    }
    spot = c == '\n' ? Spot{spot.line + 1, 1} : Spot{spot.line, spot.column + 1};
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
  if (complain_of_control_characters(text, errors)) return std::nullopt;
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
