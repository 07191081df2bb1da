#include "cli/style.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlock::cli {

std::string Style::paint(std::string_view code, std::string_view text) const {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string table(const std::vector<std::vector<Cell>>& rows, std::string_view indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].text.size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line(indent);
    std::size_t gap = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!row[i].text.empty()) {
        line.append(gap, ' ');
        line += row[i].shown;
        gap = 0;
      }
      gap += widths[i] - row[i].text.size() + 2;
    }
    text += line + '\n';
  }
  return text;
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace interlock::cli
