#include "pve/edit.h"

#include <algorithm>

#include "base/text.h"
#include "pve/config.h"

namespace interlock::pve {
namespace {

std::string_view without_cr(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_one_of(std::string_view line, const std::vector<std::string>& lines) {
  return std::ranges::any_of(lines,
                             [&](const std::string& each) { return without_cr(each) == without_cr(line); });
}

}  // namespace

std::string without_lines(std::string_view config, const std::vector<std::string>& lines) {
  const ConfigFile parsed = parse_config(config);
  std::string kept;
  std::size_t begin = 0;
  for (const ConfigLine& line : parsed.main().lines) {
    const std::size_t end = std::min(begin + line.text.size() + 1, config.size());
    if (!is_one_of(line.text, lines)) kept += config.substr(begin, end - begin);
    begin = end;
  }
  return kept.append(config.substr(begin));
}

std::string with_lines(std::string_view config, const std::vector<std::string>& lines) {
  if (lines.empty()) return std::string(config);
  const ConfigFile parsed = parse_config(config);
  std::size_t end = 0;        // of the line that was looked at last
  std::size_t after_raw = 0;  // behind the last raw line
  std::size_t after_any = 0;  // behind the last line that is not blank
  for (const ConfigLine& line : parsed.main().lines) {
    end = std::min(end + line.text.size() + 1, config.size());
    if (line.kind == ConfigLine::Kind::raw) after_raw = end;
    if (line.kind != ConfigLine::Kind::blank) after_any = end;
  }
  const std::size_t at = after_raw != 0 ? after_raw : after_any;
  std::string text(config.substr(0, at));
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  for (const std::string& line : lines) text += line + '\n';
  return text.append(config.substr(at));
}

}  // namespace interlock::pve
