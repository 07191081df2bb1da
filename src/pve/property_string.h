// A value of the form "a,key=b,other=c" (pve-common, JSONSchema.pm, parse_property_string).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace interlock::pve {

class PropertyString {
 public:
  /// The piece without a `key=` belongs to `default_key`.
  PropertyString(std::string_view text, std::string_view default_key);
  std::optional<std::string> find(std::string_view key) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace interlock::pve
