// Digests, as lower-case hexadecimal text.
#pragma once

#include <string>
#include <string_view>

namespace interlock {

/// What `pct set --digest` compares: SHA-1 of the file's bytes (pve-guest-common, AbstractConfig.pm).
std::string sha1_hex(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);

}  // namespace interlock
