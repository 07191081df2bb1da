// The product's own small files below /var/lib/gpu-interlock: written whole, synced, and read back.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "host/host.h"

namespace interlock::act {

/// Makes the folder when it is missing. An error also when what is read afterwards is not what was written.
Result<void> write_own_file(Host& host, const std::string& path, std::string_view text);
/// Not there already is fine; still there afterwards is an error.
Result<void> remove_own_file(Host& host, const std::string& path);

}  // namespace interlock::act
