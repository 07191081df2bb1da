// How text looks: colours only where a terminal shows them, columns that line up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interlock::cli {

struct Style {
  bool colour = false;

  std::string bad(std::string_view text) const { return paint("31;1", text); }
  std::string warn(std::string_view text) const { return paint("33", text); }
  std::string good(std::string_view text) const { return paint("32", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string bold(std::string_view text) const { return paint("1", text); }

 private:
  std::string paint(std::string_view code, std::string_view text) const;
};

/// One piece of a table. `shown` may carry colour; its width is `text`'s.
struct Cell {
  std::string text;
  std::string shown;
  Cell(std::string plain) : text(std::move(plain)), shown(text) {}  // NOLINT(google-explicit-constructor)
  Cell(const char* plain) : text(plain), shown(text) {}             // NOLINT(google-explicit-constructor)
  Cell(std::string plain, std::string coloured) : text(std::move(plain)), shown(std::move(coloured)) {}
};

/// Rows with columns two blanks apart; no blanks at a line's end; each line begins with `indent`.
std::string table(const std::vector<std::vector<Cell>>& rows, std::string_view indent = "");

/// Paragraphs filled anew, to be read at 78 columns; a line that begins with a blank stays as it is.
std::string filled(std::string_view page);

/// "1 card", "2 cards".
std::string counted(std::size_t number, std::string_view noun);

}  // namespace interlock::cli
