#include "observe/sensors.h"

#include <algorithm>
#include <cerrno>

#include "host/paths.h"
#include "observe/sample_wire.h"

namespace interlock::observe {
namespace {

/// What can be told of the card without its sensors, and this errno for all of them.
CardSample without_sensors(Host& host, const PciAddress& pci, int error) {
  HostCardFolder folder(host, pci);
  const FileRead unread{.error = error, .text = {}};
  CardSample sample;
  sample.taken_at = host.now();
  sample.present = folder.present();
  sample.driver = folder.driver();
  sample.unique_id = unread;
  for (auto& channel : sample.channels) channel = ChannelSample{.label = unread, .input = unread};
  return sample;
}

}  // namespace

HostCardFolder::HostCardFolder(Host& host, const PciAddress& pci)
    : host_(host), path_(paths::pci_device(pci)) {}

bool HostCardFolder::present() {
  const auto info = host_.info(path_, true);
  return info || !is_missing(info.error());
}

std::string HostCardFolder::driver() {
  const auto target = host_.read_link(path_ + "/driver");
  return target ? target->substr(target->rfind('/') + 1) : std::string();
}

FileRead HostCardFolder::read(const std::string& file, std::size_t most) {
  auto text = host_.read_start(path_ + "/" + file, most);
  if (text) return {.error = 0, .text = *std::move(text)};
  return {.error = text.error().code != 0 ? text.error().code : EIO, .text = {}};
}

Result<std::vector<std::string>> HostCardFolder::label_files() {
  return find_label_files(
      [this](const std::string& folder) { return host_.list_folder(path_ + "/" + folder); });
}

CardSample sample_card(Host& host, const PciAddress& pci) {
  HostCardFolder folder(host, pci);
  const Instant now = host.now();
  return take_sample(folder, now);
}

CardSample sample_card_apart(Host& host, const PciAddress& pci) {
  auto record = host.apart([&] { return encode_sample(sample_card(host, pci)); }, kSampleDeadline);
  if (!record) return without_sensors(host, pci, record.error().code != 0 ? record.error().code : EIO);
  auto sample = next_sample(*record);
  if (!sample || !*sample) return without_sensors(host, pci, EIO);
  return **std::move(sample);
}

bool timed_out(const CardSample& sample) {
  return std::ranges::any_of(
      sample.channels, [](const auto& channel) { return channel && channel->input.error == ETIMEDOUT; });
}

}  // namespace interlock::observe
