#include "act/record.h"

#include <fmt/format.h>

#include "base/text.h"
#include "host/paths.h"

namespace interlock::act {

Result<void> record(Host& host, const std::string& what, const std::string& reason) {
  TRY(host.make_folder(paths::kState, 0700));
  return in_context(host.append_file(paths::kRecord, fmt::format("{} {}: {}\n", host.wall_clock(),
                                                                 printable(what), printable(reason))),
                    "recording the reason");
}

}  // namespace interlock::act
