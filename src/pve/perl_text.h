// Blanks as Proxmox's own parsers see them: Perl's \s.
#pragma once

#include <string_view>

namespace interlock::pve {

inline constexpr std::string_view kPerlSpace = " \t\n\r\f\v";

inline bool is_space(char c) {
  return kPerlSpace.find(c) != std::string_view::npos;
}

inline std::string_view without_leading_space(std::string_view text) {
  const auto begin = text.find_first_not_of(kPerlSpace);
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

inline std::string_view without_trailing_space(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kPerlSpace) + 1);
}

inline std::string_view without_space(std::string_view text) {
  return without_trailing_space(without_leading_space(text));
}

}  // namespace interlock::pve
