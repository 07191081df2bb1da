#include "act/cgroup.h"

#include "base/text.h"
#include "host/paths.h"

namespace interlock::act {

Result<bool> has_processes(Host& host, const std::string& path) {
  const std::string events = paths::cgroup(path) + "/cgroup.events";
  const auto text = host.read_file(events);
  if (!text && is_missing(text.error())) return false;
  if (!text) return std::unexpected(in_context(text.error(), events));
  for (const std::string_view line : lines_of(*text)) {
    if (line == "populated 0") return false;
    if (line == "populated 1") return true;
  }
  return fail("{} does not say whether it is populated: \"{}\"", events, printable(*text));
}

}  // namespace interlock::act
