// Questions and answers of a helper process: a line each.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace interlock::daemon {

/// In the helper: writes one line to standard output, whole. False: nobody reads it any more.
bool answer_line(std::string_view line);

/// In the helper: answers each line of standard input with a line, until that ends. The exit status.
int answer_lines(const std::function<std::string(std::string_view question)>& answer);

/// The first whole line of `bytes`, without its LF, which it is taken out of; nothing: more must come.
std::optional<std::string> next_line(std::string& bytes);

}  // namespace interlock::daemon
