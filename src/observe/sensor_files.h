// One card's sensors through descriptors that stay open: what the reader process does for each sample.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "host/root_folder.h"
#include "model/identity.h"
#include "observe/card_folder.h"

namespace interlock::observe {

/// Everything is closed, and opened anew by the card's PCI address, after any error, when the card's folder
/// is another one than before, and when an open file has lost its last link: a removed file must not go on
/// giving its last value, and a hwmon number that went to another card must not be read (amdgpu.md, 2.1
/// to 2.3).
class SensorFiles final : private CardFolder {
 public:
  /// `root` as for make_linux_host().
  SensorFiles(std::string root, PciAddress pci);
  ~SensorFiles() override = default;
  SensorFiles(const SensorFiles&) = delete;
  SensorFiles& operator=(const SensorFiles&) = delete;

  /// May wait in the kernel for as long as the card does. `now` is the sample's time, so take it before.
  CardSample look(Instant now);

 private:
  struct OpenFile {
    std::string name;
    Fd fd;
  };

  bool present() override;
  std::string driver() override;
  FileRead read(const std::string& file, std::size_t most) override;
  Result<std::vector<std::string>> label_files() override;

  Result<int> descriptor(const std::string& file);
  bool lost_a_file() const;
  void close_all();

  std::string root_path_;
  std::string path_;
  std::optional<RootFolder> root_;
  Fd folder_;  // the PCI folder of this look
  std::optional<std::pair<dev_t, ino_t>> identity_;
  std::vector<OpenFile> open_;
  std::optional<std::vector<std::string>> labels_;
  bool failed_ = false;
};

}  // namespace interlock::observe
