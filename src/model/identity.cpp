#include "model/identity.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace interlock {
namespace {

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

constexpr std::array<std::string_view, 11> kUnitSuffixes = {".service", ".socket",    ".timer", ".path",
                                                            ".target",  ".scope",     ".slice", ".mount",
                                                            ".swap",    ".automount", ".device"};

}  // namespace

std::optional<PciAddress> PciAddress::parse(std::string_view text) {
  if (text.size() == 16 && text.starts_with("0000")) text.remove_prefix(4);
  if (text.size() != 12 || text[4] != ':' || text[7] != ':' || text[10] != '.') return std::nullopt;
  if (!is_hex(text.substr(0, 4)) || !is_hex(text.substr(5, 2)) || !is_hex(text.substr(8, 2)))
    return std::nullopt;
  if (text[11] < '0' || text[11] > '7' || parse_number<unsigned>(text.substr(8, 2), 16) > 0x1fU) {
    return std::nullopt;
  }
  std::string normal(text);
  std::ranges::transform(normal, normal.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return PciAddress(std::move(normal));
}

std::optional<Vmid> Vmid::parse(std::string_view text) {
  if (text.starts_with('0')) return std::nullopt;
  const auto number = parse_number<std::uint32_t>(text);
  if (!number || *number < 100 || *number > 999999999) return std::nullopt;
  return Vmid(*number);
}

std::optional<UnitName> UnitName::parse(std::string_view text) {
  const auto good = [](char c) { return is_alnum(c) || std::string_view(":-_.\\@").contains(c); };
  const auto ends = [&](std::string_view suffix) {
    return text.size() > suffix.size() && text.ends_with(suffix);
  };
  if (text.empty() || text.size() > 255 || text.front() == '-' || !std::ranges::all_of(text, good)) {
    return std::nullopt;
  }
  if (text.front() == '@' || std::ranges::none_of(kUnitSuffixes, ends)) return std::nullopt;
  return UnitName(std::string(text));
}

std::optional<CardId> CardId::parse(std::string_view text) {
  const auto good = [](char c) { return is_alnum(c) || std::string_view("-_.").contains(c); };
  if (text.empty() || text.size() > 32 || std::isalpha(static_cast<unsigned char>(text.front())) == 0 ||
      !std::ranges::all_of(text, good)) {
    return std::nullopt;
  }
  return CardId(std::string(text));
}

std::string_view to_string(Truth value) {
  switch (value) {
    case Truth::no:
      return "no";
    case Truth::yes:
      return "yes";
    case Truth::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace interlock
