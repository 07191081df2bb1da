#include "roff.h"

#include "base/text.h"

namespace interlock::pages::roff {
namespace {

std::string replaced(std::string_view text, char what, std::string_view by) {
  std::string out;
  for (const char c : text) {
    if (c == what)
      out += by;
    else
      out += c;
  }
  return out;
}

/// `code` between backticks to bold.
std::string inline_code(std::string_view text) {
  std::string out;
  bool code = false;
  for (const auto piece : split(text, '`')) {
    out += code ? bold(piece) : escaped(piece);
    code = !code;
  }
  return out;
}

/// A line that begins with a dot or a quote would be a request.
std::string line(std::string text) {
  if (text.starts_with('.') || text.starts_with('\'')) text.insert(0, "\\&");
  return text + "\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  return replaced(text, '\\', "\\e");
}

std::string bold(std::string_view text) {
  return "\\fB" + replaced(escaped(text), '-', "\\-") + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string prose(std::string_view text) {
  std::string out;
  std::string paragraph;
  bool literal = false;
  const auto flush = [&] {
    if (!paragraph.empty()) out += line(inline_code(paragraph));
    paragraph.clear();
  };
  for (const auto one : lines_of(text)) {
    const bool is_literal = one.starts_with(' ');
    if (is_literal != literal && !one.empty()) {
      flush();
      out += is_literal ? ".nf\n" : ".fi\n";
      literal = is_literal;
    }
    if (one.empty()) {
      flush();
      out += ".PP\n";
    } else if (literal) {
      out += line(escaped(one));
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(one);
    }
  }
  flush();
  if (literal) out += ".fi\n";
  return out;
}

}  // namespace interlock::pages::roff
