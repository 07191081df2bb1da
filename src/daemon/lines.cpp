#include "daemon/lines.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace interlock::daemon {

bool answer_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

int answer_lines(const std::function<std::string(std::string_view question)>& answer) {
  std::string bytes;
  for (;;) {
    while (const auto question = next_line(bytes)) {
      if (!answer_line(answer(*question))) return 1;
    }
    std::array<char, 4096> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read(2) fills it
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::optional<std::string> next_line(std::string& bytes) {
  const auto end = bytes.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = bytes.substr(0, end);
  bytes.erase(0, end + 1);
  return line;
}

}  // namespace interlock::daemon
