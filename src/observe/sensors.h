// One look at one card's sensors through the seam, opening each file anew: for `status`, permissives and the
// mocks.
#pragma once

#include <string>

#include "host/host.h"
#include "model/sample.h"
#include "observe/card_folder.h"

namespace interlock::observe {

class HostCardFolder final : public CardFolder {
 public:
  HostCardFolder(Host& host, const PciAddress& pci);
  bool present() override;
  std::string driver() override;
  FileRead read(const std::string& file, std::size_t most) override;
  Result<std::vector<std::string>> label_files() override;

 private:
  Host& host_;
  std::string path_;
};

/// Never fails: what could not be read is in the sample, by errno. While `runtime_status` is suspended no
/// temperature file is touched. Judges nothing.
CardSample sample_card(Host& host, const PciAddress& pci);

}  // namespace interlock::observe
