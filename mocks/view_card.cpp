// A card's PCI folder with its hwmon, drm, power and memory files (amdgpu.md, sections 1 to 3).
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "mocks/view.h"

namespace interlock::mocks::views {
namespace {

constexpr std::array kLabels = {"edge", "junction", "mem"};
constexpr std::array<int, 3> kCritical = {100'000, 105'000, 103'000};
constexpr int kAboveCritical = 5'000;

bool asleep(const Card& card) {
  return card.runtime != "active";
}

/// A value that the card's firmware gives: not while it sleeps, and not once it has left the bus.
Node from_firmware(const Card& card, std::string text) {
  Node node = file(std::move(text));
  if (asleep(card)) node.error = EPERM;
  if (card.off_the_bus) node.error = EOPNOTSUPP;
  return node;
}

template <class Number>
void put(std::string& bytes, std::size_t at, Number value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// gpu_metrics v1_3 (kgd_pp_interface.h): unset fields are all ones.
std::string gpu_metrics(const Model& model, const Card& card) {
  constexpr std::size_t kSize = 120;
  std::string bytes(kSize, '\xff');
  const Temperatures now = temperatures(model, card);
  put(bytes, 0, static_cast<std::uint16_t>(kSize));
  put(bytes, 2, std::uint8_t{1});
  put(bytes, 3, std::uint8_t{3});
  put(bytes, 4, static_cast<std::uint16_t>(now.edge / 1000));
  put(bytes, 6, static_cast<std::uint16_t>(now.junction / 1000));
  put(bytes, 8, static_cast<std::uint16_t>(now.memory / 1000));
  if (card.energy_counter) {
    const std::int64_t ms = card.energy_stuck ? 0 : to_ns(model.now) / 1'000'000;
    put(bytes, 24, static_cast<std::uint64_t>(1'000'000 + ms));
  }
  put(bytes, 32, static_cast<std::uint64_t>(to_ns(model.now)));
  put(bytes, 112, std::uint64_t{0});
  return bytes;
}

std::string pci_config(const Card& card) {
  if (card.off_the_bus) return std::string(64, '\xff');
  std::string bytes(64, '\0');
  put(bytes, 0, std::uint16_t{0x1002});
  put(bytes, 2, std::uint16_t{0x73a1});
  put(bytes, 4, std::uint16_t{0x0407});
  put(bytes, 10, std::uint16_t{0x0380});
  return bytes;
}

Node temperature_file(const Model& model, const Card& card, std::string_view name) {
  // "temp2_input"
  const auto index = parse_number<std::size_t>(name.substr(4, 1));
  if (!index || *index < 1 || *index > kLabels.size() || name.size() < 7) return {};
  const std::size_t channel = *index - 1;
  const std::string_view what = name.substr(6);
  if (what == "label") return file(fmt::format("{}\n", kLabels.at(channel)));
  if (what == "crit") return file(fmt::format("{}\n", kCritical.at(channel)));
  if (what == "crit_hyst") return file("-273150\n");
  if (what == "emergency") return file(fmt::format("{}\n", kCritical.at(channel) + kAboveCritical));
  if (what != "input") return {};
  const Temperatures now = temperatures(model, card);
  const std::array values = {now.edge, now.junction, now.memory};
  return from_firmware(card, fmt::format("{}\n", values.at(channel)));
}

Node hwmon_folder(const Model& model, const Card& card, std::string_view path) {
  if (path.empty()) {
    std::vector<std::string> names = {"device", "name", "power1_average"};
    for (std::size_t i = 1; i <= kLabels.size(); ++i) {
      for (const std::string_view what : {"input", "label", "crit", "crit_hyst", "emergency"}) {
        names.push_back(fmt::format("temp{}_{}", i, what));
      }
    }
    return folder(std::move(names));
  }
  if (path == "name") return file("amdgpu\n");
  if (path == "device") return link(fmt::format("../../../{}", card.pci));
  if (path == "power1_average")
    return from_firmware(card, is_worked_on(model, card) ? "210000000\n" : "28000000\n");
  return path.starts_with("temp") ? temperature_file(model, card, path) : Node{};
}

Node drm_folder(const Card& card, std::string_view path) {
  const std::string primary = fmt::format("card{}", card.card);
  const std::string render = fmt::format("renderD{}", card.render);
  if (path.empty()) return folder({primary, render});
  const auto [name, rest] = first_name(path);
  if (name != primary && name != render) return {};
  if (rest.empty()) return folder({"dev", "device"});
  if (rest == "dev") return file(fmt::format("226:{}\n", name == primary ? card.card : card.render));
  if (rest == "device") return link(fmt::format("../../../{}", card.pci));
  return {};
}

Node power_file(const Card& card, std::string_view name) {
  if (name.empty()) return folder({"control", "runtime_status"});
  if (name == "control") return file(card.power_control + "\n", 0644);
  if (name == "runtime_status") return file(card.runtime + "\n");
  return {};
}

Node driver_file(const Model& model, const Card& card, std::string_view name) {
  if (name == "unique_id") return card.unique_id.empty() ? Node{} : file(card.unique_id + "\n");
  if (name == "mem_info_vram_total") return file(fmt::format("{}\n", card.vram_total));
  if (name == "mem_info_vram_used") return file(fmt::format("{}\n", memory_used(model, card)));
  if (name == "mem_info_gtt_total") return file("134967508992\n");
  if (name == "mem_info_gtt_used") return file("14680064\n");
  if (name == "gpu_busy_percent") return from_firmware(card, is_worked_on(model, card) ? "97\n" : "0\n");
  if (name == "gpu_metrics") return from_firmware(card, gpu_metrics(model, card));
  return {};
}

}  // namespace

Node card_folder(const Model& model, const Card& card, std::string_view path, Ask) {
  const bool driven = card.driver == "amdgpu";
  if (path.empty()) {
    std::vector<std::string> names = {"class", "config", "device", "power", "vendor"};
    if (!card.driver.empty()) names.emplace_back("driver");
    if (driven) {
      names.insert(names.end(), {"drm", "hwmon", "gpu_busy_percent", "gpu_metrics", "mem_info_gtt_total",
                                 "mem_info_gtt_used", "mem_info_vram_total", "mem_info_vram_used"});
      if (!card.unique_id.empty()) names.emplace_back("unique_id");
    }
    return folder(std::move(names));
  }
  const auto [name, rest] = first_name(path);
  if (path == "class") return file("0x038000\n");
  if (path == "vendor") return file("0x1002\n");
  if (path == "device") return file("0x73a1\n");
  if (path == "config") return file(pci_config(card), 0644);
  if (path == "driver" && !card.driver.empty())
    return link(fmt::format("../../../bus/pci/drivers/{}", card.driver));
  if (name == "power") return power_file(card, rest);
  if (!driven) return {};
  if (name == "drm") return drm_folder(card, rest);
  if (name != "hwmon") return driver_file(model, card, path);
  const std::string hwmon = fmt::format("hwmon{}", card.hwmon);
  if (rest.empty()) return folder({hwmon});
  const auto [number, below_it] = first_name(rest);
  return number == hwmon ? hwmon_folder(model, card, below_it) : Node{};
}

}  // namespace interlock::mocks::views
