// Bytes that must come back as they were, in JSON: a policy or a configuration line need not be UTF-8.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace interlock {

/// A string where the bytes are UTF-8, {"hex": "..."} otherwise.
nlohmann::json bytes_to_json(std::string_view bytes);
Result<std::string> bytes_from_json(const nlohmann::json& json);

/// Compact text of any JSON value. Never throws: what is not UTF-8 in it is shown as a replacement character.
std::string compact(const nlohmann::json& json);

/// The value that the whole text spells, or an error; never an exception.
Result<nlohmann::json> parse_json(std::string_view text);

}  // namespace interlock
