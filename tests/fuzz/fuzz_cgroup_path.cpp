// /proc/<pid>/cgroup.
#include "fuzz.h"
#include "pve/cgroup_path.h"

using namespace interlock;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Place place = pve::place_of(fuzz::text_of(data, size));
  if (!place.known) {
    require(!place.container && !place.unit && !place.whole, "nothing is said of a place that is not known");
    return 0;
  }
  require(place.cgroup.starts_with('/'), "a known path is absolute");
  require(!place.cgroup.contains("/../"), "a known path does not climb");
  require(!place.container || place.cgroup.contains(place.container->text()),
          "the container stands in the path");
  require(!place.whole || place.cgroup.ends_with(".service") || place.cgroup.ends_with(".scope") ||
              place.cgroup.contains("/docker/") || place.cgroup.contains("/container") ||
              place.cgroup.ends_with("/"),
          "only a leaf is killed whole");
  return 0;
}
