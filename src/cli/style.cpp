#include "cli/style.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace interlock::cli {
namespace {

constexpr std::size_t kWidth = 78;

}  // namespace

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

std::string filled(std::string_view page) {
  std::string text;
  std::size_t column = 0;
  const auto end_line = [&] {
    if (column > 0) text += '\n';
    column = 0;
  };
  for (const auto line : lines_of(page)) {
    if (line.empty() || line.starts_with(' ')) {
      end_line();
      text += fmt::format("{}\n", line);
      continue;
    }
    for (const auto word : words(line)) {
      if (column + 1 + word.size() > kWidth) end_line();
      if (column > 0) text += ' ';
      column += word.size() + (column > 0 ? 1 : 0);
      text += word;
    }
  }
  end_line();
  return text;
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace interlock::cli
