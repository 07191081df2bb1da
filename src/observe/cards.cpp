#include "observe/cards.h"

#include <algorithm>
#include <cctype>

#include "observe/card_values.h"
#include "observe/sensors.h"
#include "observe/untold.h"

namespace interlock::observe {
namespace {

bool same_id(std::string_view one, std::string_view other) {
  return std::ranges::equal(
      one, other, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

void read_emergencies(HostCardFolder& folder, Card& card) {
  const auto found = temperatures(folder);
  if (!found) return;
  for (const Channel channel : kChannels) {
    const auto match = std::ranges::find(*found, driver_label(channel), &Temperature::name);
    if (match == found->end()) continue;
    card.emergency[static_cast<std::size_t>(channel)] = read_celsius(folder, match->stem + "_emergency");
  }
}

}  // namespace

Card look_at_card(Host& host, const CardNodes& nodes, const PolicyCard& declared, bool sample,
                  std::vector<std::string>& cannot_tell) {
  HostCardFolder folder(host, declared.pci);
  Card card{.id = declared.id, .pci = declared.pci};
  card.present = folder.present();
  if (!card.present) {
    if (sample) card.sample = sample_card_apart(host, declared.pci);
    return card;
  }
  card.driver = folder.driver();
  card.unique_id = read_unique_id(folder);
  if (declared.unique_id && card.unique_id) card.replaced = !same_id(*declared.unique_id, *card.unique_id);
  if (declared.unique_id && !card.unique_id && card.driver == "amdgpu") {
    cannot_tell.push_back(untold(fmt::format("whether {} at {} is the card with unique_id {}", card.id.text(),
                                             card.pci.text(), *declared.unique_id),
                                 "its driver gives none now"));
  }
  if (const auto named = nodes.names.find(card.pci); named != nodes.names.end()) card.nodes = named->second;
  // None of these touches the hardware (amdgpu.md, 1.4 and 1.8).
  card.memory_total = read_number<Bytes>(folder, "mem_info_vram_total");
  card.memory_used = read_number<Bytes>(folder, "mem_info_vram_used");
  card.gtt_used = read_number<Bytes>(folder, "mem_info_gtt_used");
  read_emergencies(folder, card);
  if (sample) card.sample = sample_card_apart(host, declared.pci);
  return card;
}

}  // namespace interlock::observe
