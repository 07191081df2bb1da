#include "policy/environment_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/text.h"

namespace interlock {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// One line, with those that a backslash at its end joins to it.
struct Line {
  std::string text;
  int number = 0;  // of its first
};

bool is_comment(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.front() == '#' || text.front() == ';';
}

bool goes_on(std::string_view line) {
  const auto last = line.find_last_not_of('\\');
  const std::size_t backslashes = line.size() - (last == std::string_view::npos ? 0 : last + 1);
  return backslashes % 2 == 1;
}

std::vector<Line> joined_lines(std::string_view text, std::vector<Remark>& remarks) {
  std::vector<Line> lines;
  bool open = false;
  int number = 0;
  for (std::string_view line : lines_of(text)) {
    ++number;
    if (line.ends_with('\r')) {
      if (remarks.empty())
        remarks.push_back(
            {"the lines end in CR LF; a shell takes the CR for a part of each value, here it is left out",
             number});
      line.remove_suffix(1);
    }
    if (!open) lines.push_back({"", number});
    open = (open || !is_comment(line)) && goes_on(line);
    if (open) line.remove_suffix(1);
    lines.back().text += line;
  }
  return lines;
}

/// What stands behind the '='.
class Value {
 public:
  explicit Value(std::string_view text) : rest_(text) {}

  /// Nothing: there is no telling what it is; `remark` says why.
  std::optional<std::string> read() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    while (!rest_.empty() && error_.empty()) step();
    if (!error_.empty()) return std::nullopt;
    return value_;
  }
  const std::string& error() const { return error_; }
  const std::string& remark() const { return remark_; }

 private:
  void step() {
    const char c = take();
    if (c == '\'') return quoted('\'');
    if (c == '"') return quoted('"');
    if (c == '\\' && !rest_.empty()) return value_.push_back(take());
    if (is_blank(c)) return behind_blank(c);
    plain(c);
  }

  void plain(char c) {
    if (c == '$' || c == '`') {
      error_ = "a shell would put something else in its place, and systemd would not";
    } else {
      value_ += c;
    }
  }

  /// Whatever follows a blank outside quotes: nothing, a comment, or a word that was meant to be quoted.
  void behind_blank(char blank) {
    const std::string_view next = trimmed(rest_);
    if (next.empty()) {
      rest_ = {};
    } else if (next.front() == '#') {
      remark_ = "systemd would take the comment behind the value for a part of it; here it is left out";
      rest_ = {};
    } else {
      remark_ = "a value with a blank in it needs quotes: a shell would take what follows for a command";
      value_ += blank;
    }
  }

  void quoted(char quote) {
    while (!rest_.empty()) {
      const char c = take();
      if (c == quote) return;
      constexpr std::string_view kEscaped = "\"\\$`";
      if (quote == '"' && c == '\\' && !rest_.empty() && kEscaped.contains(rest_.front())) {
        value_ += take();
      } else if (quote == '"') {
        plain(c);
        if (!error_.empty()) return;
      } else {
        value_ += c;
      }
    }
    error_ = "its quote does not end on this line";
  }

  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  std::string_view rest_;
  std::string value_;
  std::string error_;
  std::string remark_;
};

bool is_key(std::string_view text) {
  const auto good = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, good);
}

void read_line(const Line& line, EnvironmentFile& file) {
  std::string_view text = trimmed(line.text);
  const auto remark = [&](std::string message) { file.remarks.push_back({std::move(message), line.number}); };
  constexpr std::string_view kExport = "export";
  if (text.starts_with(kExport) && text.size() > kExport.size() && is_blank(text[kExport.size()])) {
    text = trimmed(text.substr(kExport.size()));
    remark("systemd passes over a line with export before it; here it counts, as in a shell");
  }
  const auto equals = text.find('=');
  const std::string_view key = text.substr(0, equals);
  if (equals == std::string_view::npos || !is_key(key)) {
    return remark(fmt::format("'{}' is no KEY=VALUE, and is left out", printable(text)));
  }
  Value value(text.substr(equals + 1));
  auto read = value.read();
  if (!read) return remark(fmt::format("{} is left out: {}", key, value.error()));
  if (!value.remark().empty()) remark(fmt::format("{}: {}", key, value.remark()));
  const auto earlier = std::ranges::find(file.assignments, key, &Assignment::key);
  if (earlier != file.assignments.end()) {
    remark(fmt::format("{} stands in line {} already; the last one counts", key, earlier->line));
    file.assignments.erase(earlier);
  }
  file.assignments.push_back({std::string(key), *std::move(read), line.number});
}

}  // namespace

EnvironmentFile parse_environment_file(std::string_view text) {
  EnvironmentFile file;
  for (const Line& line : joined_lines(text, file.remarks)) {
    if (!is_comment(line.text)) read_line(line, file);
  }
  return file;
}

}  // namespace interlock
