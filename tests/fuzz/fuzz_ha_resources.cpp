// /etc/pve/ha/resources.cfg.
#include "fuzz.h"
#include "pve/ha_resources.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto managed = interlock::pve::parse_ha_resources(interlock::fuzz::text_of(data, size));
  if (!managed) return 0;
  for (const auto& [vmid, state] : *managed) {
    interlock::fuzz::require(state != "ignored", "an ignored resource is not managed");
  }
  return 0;
}
