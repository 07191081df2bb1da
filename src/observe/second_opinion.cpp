#include "observe/second_opinion.h"

#include <fmt/format.h>
#include <sensors/sensors.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace interlock::observe {
namespace {

using Opinion = decltype(Card::second_opinion);

struct CloseFile {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }  // it was only read
};

/// libsensors, for as long as this lives.
class Library {
 public:
  Library() {
    // One device that vanishes while it looks makes all of its start fail (amdgpu.md, 4.9).
    for (int tries = 0; tries < 3 && !ready_; ++tries) {
      const std::unique_ptr<std::FILE, CloseFile> none(std::fopen("/dev/null", "re"));
      ready_ = none && ::sensors_init(none.get()) == 0;
    }
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (ready_) ::sensors_cleanup();
  }
  bool ready() const { return ready_; }

 private:
  bool ready_ = false;
};

/// The chip's number may be another card's by now: what counts is where its folder leads (amdgpu.md, 4.3).
bool is_chip_of(const sensors_chip_name& chip, const PciAddress& pci) {
  std::error_code error;
  const auto device = std::filesystem::canonical(std::filesystem::path(chip.path) / "device", error);
  return !error && device.filename() == pci.text();
}

bool has_label(const sensors_chip_name& chip, const sensors_feature& feature, std::string_view wanted) {
  const std::unique_ptr<char, decltype(&std::free)> label(::sensors_get_label(&chip, &feature), &std::free);
  return label && wanted == label.get();
}

std::optional<Celsius> value_of(const sensors_chip_name& chip, std::string_view label) {
  int at = 0;
  while (const sensors_feature* feature = ::sensors_get_features(&chip, &at)) {
    if (feature->type != SENSORS_FEATURE_TEMP || !has_label(chip, *feature, label)) continue;
    const auto* input = ::sensors_get_subfeature(&chip, feature, SENSORS_SUBFEATURE_TEMP_INPUT);
    double degrees = 0;
    // It takes "nan" and "inf" for numbers (amdgpu.md, 4.6).
    if (input == nullptr || ::sensors_get_value(&chip, input->number, &degrees) != 0) return std::nullopt;
    if (!std::isfinite(degrees) || std::abs(degrees) > 1e6) return std::nullopt;
    return Celsius::from_milli(std::llround(degrees * 1000));
  }
  return std::nullopt;
}

}  // namespace

std::optional<PciAddress> pci_of_chip(int address) {
  const auto bits = static_cast<unsigned>(address);
  return PciAddress::parse(
      fmt::format("{:04x}:{:02x}:{:02x}.{}", bits >> 16, (bits >> 8) & 0xff, (bits >> 3) & 0x1f, bits & 7));
}

void read_second_opinion(std::vector<Card>& cards) {
  const Library library;
  if (!library.ready()) return;
  int at = 0;
  while (const sensors_chip_name* chip = ::sensors_get_detected_chips(nullptr, &at)) {
    if (chip->bus.type != SENSORS_BUS_TYPE_PCI) continue;
    const auto pci = pci_of_chip(chip->addr);
    const auto card = std::ranges::find_if(cards, [&](const Card& one) { return pci == one.pci; });
    if (card == cards.end()) continue;
    // Reading a sleeping card wakes it on many kernels, and one off the bus takes seconds.
    if (!card->sample || card->sample->runtime == RuntimeStatus::suspended || card->sample->off_the_bus)
      continue;
    Opinion opinion;
    for (const Channel channel : kChannels) {
      opinion[static_cast<std::size_t>(channel)] = value_of(*chip, driver_label(channel));
    }
    // Afterwards, since libsensors opens each file by the number, which may have changed hands meanwhile.
    if (is_chip_of(*chip, card->pci)) card->second_opinion = opinion;
  }
}

}  // namespace interlock::observe
