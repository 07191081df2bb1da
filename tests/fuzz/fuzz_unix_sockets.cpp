// /proc/net/unix.
#include <string>

#include "fuzz.h"
#include "pve/pct_output.h"

using namespace interlock;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto running = pve::parse_running(text);
  if (!running) return 0;
  for (const Vmid vmid : *running) {
    require(text.contains("@/var/lib/lxc/" + vmid.text() + "/command"),
            "a container that runs is in the table");
  }
  return 0;
}
