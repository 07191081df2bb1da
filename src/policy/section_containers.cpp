#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "policy/sections.h"

namespace interlock {
namespace {

std::optional<UnitName> read_service(const Entry& entry) {
  const auto text = entry.text();
  if (!text) return std::nullopt;
  const auto unit = UnitName::parse(*text);
  const bool nameless = text->contains("@.");  // a template: only its instances run
  if (unit && text->ends_with(".service") && !nameless) return unit;
  entry.reject(fmt::format("'{}' is no service; write its name with the suffix, as in llamacpp.service{}",
                           printable(*text), nameless ? ", and of a template an instance" : ""));
  return std::nullopt;
}

void read_units(const Entry& entry, std::vector<UnitName>& units) {
  const auto items = entry.items();
  if (!items) return;
  for (const Entry& item : *items) {
    const auto unit = read_service(item);
    if (unit && std::ranges::find(units, *unit) != units.end()) {
      item.reject(fmt::format("{} is in the list already", unit->text()));
    } else if (unit) {
      units.push_back(*unit);
    }
  }
}

std::optional<std::uint64_t> read_mib(const Entry& entry) {
  constexpr std::int64_t kMost = 1024 * 1024;  // 1 TiB
  const auto mib = entry.number(1, kMost);
  if (!mib) return std::nullopt;
  return static_cast<std::uint64_t>(*mib);
}

void read_container(const Member& member, Policy& policy) {
  const auto vmid = Vmid::parse(member.key);
  if (!vmid) member.reject_key("a container is named by its VMID, a whole number from 100 to 999999999");
  const auto fields = member.value.fields({"units", "bind", "vram_minimum"});
  if (!vmid || !fields) return;

  PolicyContainer container{
      .vmid = *vmid, .units = {}, .bind = BindStyle::mount_entry, .vram_minimum_mib = std::nullopt};
  if (const Entry* units = fields->find("units")) read_units(*units, container.units);
  fields->take("bind", container.bind, [](const Entry& entry) {
    return entry.choice<BindStyle>({{"mount-entry", BindStyle::mount_entry}, {"dev", BindStyle::device}});
  });
  fields->take("vram_minimum", container.vram_minimum_mib, read_mib);
  policy.containers.emplace(*vmid, std::move(container));
}

}  // namespace

void read_containers(const Entry& section, Draft& draft) {
  const auto members = section.members();
  if (!members) return;
  for (const Member& member : *members) {
    draft.container_keys.insert(member.key);
    read_container(member, draft.policy);
  }
}

}  // namespace interlock
