#include "observe/found_cards.h"

#include <algorithm>

#include "host/paths.h"
#include "model/sample.h"
#include "observe/card_values.h"
#include "observe/sensors.h"
#include "observe/untold.h"

namespace interlock::observe {
namespace {

Result<std::string> read_text(CardFolder& folder, const std::string& file) {
  FileRead read = folder.read(file, FileRead::kLongest);
  if (read.error != 0) return fail_errno(read.error, fmt::format("cannot read its {}", file));
  return std::move(read.text);
}

/// PCI vendor 0x1002; class 03: display, 12: processing accelerator (PCI Code and ID Assignment).
Result<bool> is_amd_card(CardFolder& folder) {
  const std::string vendor = TRY(read_text(folder, "vendor"));
  const std::string kind = TRY(read_text(folder, "class"));
  return trimmed(vendor) == "0x1002" && (kind.starts_with("0x03") || kind.starts_with("0x12"));
}

void read_channels(CardFolder& folder, FoundCard& card) {
  const auto found = temperatures(folder);
  if (!found) {
    card.untold = found.error().message;
    return;
  }
  if (found->empty()) card.untold = "its driver shows no temperatures (no hwmon folder with labels)";
  for (const Temperature& temperature : *found) {
    if (temperature.label.error != 0)
      card.untold = fail_errno(temperature.label.error, temperature.stem + "_label").error().message;
    else
      card.channels.push_back(temperature.name());
  }
  for (const Channel channel : kChannels) {
    const auto match = std::ranges::find(*found, driver_label(channel), &Temperature::name);
    if (match == found->end()) continue;
    card.limits[static_cast<std::size_t>(channel)] =
        ChannelLimits{.critical = read_celsius(folder, match->stem + "_crit"),
                      .emergency = read_celsius(folder, match->stem + "_emergency")};
  }
}

FoundCard look_at(CardFolder& folder, const PciAddress& pci) {
  FoundCard card{.pci = pci};
  card.unique_id = read_unique_id(folder);
  card.memory = read_number<Bytes>(folder, "mem_info_vram_total");
  read_channels(folder, card);
  return card;
}

}  // namespace

Result<FoundCards> find_cards(Host& host) {
  FoundCards found;
  const auto devices = host.list_folder(paths::kPciDevices);
  if (!devices && is_missing(devices.error())) return found;
  if (!devices) return std::unexpected(in_context(devices.error(), "cannot see the cards"));
  for (const std::string& device : *devices) {
    const auto pci = PciAddress::parse(device);
    if (!pci) continue;
    HostCardFolder folder(host, *pci);
    const std::string driver = folder.driver();
    if (driver == "amdgpu") {
      found.cards.push_back(look_at(folder, *pci));
      continue;
    }
    const auto is_card = is_amd_card(folder);
    if (!is_card) {
      found.untold.push_back(
          untold(fmt::format("whether {} is a card", pci->text()), is_card.error().message));
    } else if (*is_card) {
      found.others.push_back({*pci, driver});
    }
  }
  std::ranges::sort(found.cards, {}, &FoundCard::pci);
  return found;
}

}  // namespace interlock::observe
