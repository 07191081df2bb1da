// Text: whole-string parses and the few string operations that every parser here shares.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace interlock {

/// The number that the whole of `text` spells; nothing for an empty string, a sign alone, trailing bytes or
/// overflow.
template <std::integral T>
std::optional<T> parse_number(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Without blanks, tabs, CR and LF at either end.
std::string_view trimmed(std::string_view text);

/// Pieces between separators; "a,,b" gives three. An empty text gives one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Pieces between runs of blanks and tabs; never an empty one.
std::vector<std::string_view> words(std::string_view text);

/// Lines without their LF. A final LF does not begin another line; CR stays.
std::vector<std::string_view> lines_of(std::string_view text);

std::string joined(const std::vector<std::string>& pieces, std::string_view separator);

/// Control characters and bytes beyond ASCII as \xNN: for text that we did not write and show to a person.
std::string printable(std::string_view text);

}  // namespace interlock
