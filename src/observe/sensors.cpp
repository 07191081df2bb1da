#include "observe/sensors.h"

#include <cerrno>

#include "host/paths.h"

namespace interlock::observe {

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

}  // namespace interlock::observe
