// Text as a manual page has it (man(7)).
#pragma once

#include <string>
#include <string_view>

namespace interlock::pages::roff {

/// A piece of a line: nothing in it is taken for a request or an escape.
std::string escaped(std::string_view text);
/// The same in bold, with minus signs that can be copied.
std::string bold(std::string_view text);
std::string italic(std::string_view text);
/// Paragraphs, an empty line between them; `code` in bold; lines that begin with a blank as they are.
std::string prose(std::string_view text);

}  // namespace interlock::pages::roff
