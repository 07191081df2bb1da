#include "pve/property_string.h"

#include "base/text.h"

namespace interlock::pve {

PropertyString::PropertyString(std::string_view text, std::string_view default_key) {
  for (const std::string_view piece : split(text, ',')) {
    const auto equals = piece.find('=');
    const bool has_key = equals != std::string_view::npos && !piece.substr(0, equals).contains('/');
    const std::string_view key = has_key ? piece.substr(0, equals) : default_key;
    const std::string_view value = has_key ? piece.substr(equals + 1) : piece;
    if (!value.empty()) values_.insert_or_assign(std::string(key), std::string(value));
  }
}

std::optional<std::string> PropertyString::find(std::string_view key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

}  // namespace interlock::pve
