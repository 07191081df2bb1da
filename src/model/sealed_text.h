// A small file of ours with a seal: one header line with its kind, version and the checksum of what follows.
// Nothing but the whole and unchanged text is taken: the one form of ledger, latch and keepsake.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace interlock {

/// "gpu-interlock <kind> 1 <SHA-256 of body>\n<body>"
std::string sealed(std::string_view kind, std::string_view body);

/// The body. An error says what is wrong: another kind or version, or changed since it was written.
Result<std::string> unsealed(std::string_view kind, std::string_view text);

}  // namespace interlock
