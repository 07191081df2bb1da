#include "host/process_stat.h"

#include "base/text.h"

namespace interlock {

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  // "4711 (a (strange) name) S 1 ...": the name ends at the last parenthesis, since no later field has one.
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  const auto fields = words(trimmed(text.substr(close + 1)));
  constexpr std::size_t kState = 0;     // field 3
  constexpr std::size_t kStarted = 19;  // field 22
  if (fields.size() <= kStarted || fields[kState].size() != 1) return std::nullopt;
  const auto started = parse_number<std::uint64_t>(fields[kStarted]);
  if (!started) return std::nullopt;
  return ProcessStat{std::string(text.substr(open + 1, close - open - 1)), fields[kState].front(), *started};
}

}  // namespace interlock
