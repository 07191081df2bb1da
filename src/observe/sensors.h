// One look at one card's sensors through the seam, opening each file anew: for `status` and permissives.
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

/// Many times what a card takes that works.
inline constexpr Duration kSampleDeadline = std::chrono::seconds(1);

/// The same, apart (Host::apart): a card that hangs holds nobody up. No answer within the deadline: every
/// channel is ETIMEDOUT.
CardSample sample_card_apart(Host& host, const PciAddress& pci);

/// Some channel of it was not read in time.
bool timed_out(const CardSample& sample);

}  // namespace interlock::observe
