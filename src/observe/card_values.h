// Single values out of a card's folder.
#pragma once

#include <optional>
#include <string>

#include "base/text.h"
#include "base/units.h"
#include "observe/card_folder.h"

namespace interlock::observe {

/// Nothing: the file cannot be read, or holds no number.
template <class Number>
std::optional<Number> read_number(CardFolder& folder, const std::string& file) {
  const FileRead read = folder.read(file, FileRead::kLongest);
  if (read.error != 0) return std::nullopt;
  return parse_number<Number>(trimmed(read.text));
}

/// A file in thousandths of a degree; nothing: as above.
inline std::optional<Celsius> read_celsius(CardFolder& folder, const std::string& file) {
  const auto milli = read_number<std::int64_t>(folder, file);
  if (!milli) return std::nullopt;
  return Celsius::from_milli(*milli);
}

/// As the driver gives it; nothing: it gives none.
inline std::optional<std::string> read_unique_id(CardFolder& folder) {
  const FileRead read = folder.read("unique_id", FileRead::kLongest);
  const std::string_view id = trimmed(read.text);
  if (read.error != 0 || id.empty()) return std::nullopt;
  return std::string(id);
}

}  // namespace interlock::observe
