#include "pve/ha_resources.h"

#include "base/text.h"
#include "pve/section_config.h"

namespace interlock::pve {

Result<std::map<Vmid, std::string>> parse_ha_resources(std::string_view text) {
  const auto blocks = TRY(parse_section_config(text));
  std::map<Vmid, std::string> managed;
  for (const SectionBlock& block : blocks) {
    if (block.type != "ct") continue;
    const auto vmid = Vmid::parse(block.id);
    if (!vmid) return fail("'ct: {}' names no container", printable(block.id));
    const std::string* state = block.find("state");
    if (state != nullptr && *state == "ignored") continue;
    managed[*vmid] = state == nullptr || *state == "enabled" ? "started" : *state;
  }
  return managed;
}

}  // namespace interlock::pve
