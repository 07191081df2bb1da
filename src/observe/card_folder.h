// A card's PCI folder and what one look at it reads, and in which order. Two ways to read it share this:
// through the seam (sensors.h), and through descriptors that stay open (sensor_files.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/sample.h"

namespace interlock::observe {

/// Files below /sys/bus/pci/devices/<BDF>/, by name relative to it: "hwmon/hwmon3/temp2_label".
class CardFolder {
 public:
  CardFolder() = default;
  CardFolder(const CardFolder&) = delete;
  CardFolder& operator=(const CardFolder&) = delete;
  virtual ~CardFolder() = default;

  /// False only when it is seen not to be there.
  virtual bool present() = 0;
  /// The last name of the link `driver`; empty: none.
  virtual std::string driver() = 0;
  /// At most `most` bytes.
  virtual FileRead read(const std::string& file, std::size_t most) = 0;
  /// All hwmon/hwmon*/temp*_label.
  virtual Result<std::vector<std::string>> label_files() = 0;
};

/// The same names for those who can list folders below the card's; no hwmon folder at all: none.
using ListFolder = std::function<Result<std::vector<std::string>>(const std::string& folder)>;
Result<std::vector<std::string>> find_label_files(const ListFolder& list);

/// One temp channel of the card, known by its label and never by its number (amdgpu.md, 1.3).
struct Temperature {
  std::string stem;  // "hwmon/hwmon3/temp2"
  FileRead label;
  std::string name() const;  // "junction"; empty where it could not be read
};
Result<std::vector<Temperature>> temperatures(CardFolder& card);

/// runtime_status before everything that could wake the card; while it is suspended, nothing of that.
CardSample take_sample(CardFolder& card, Instant now);

}  // namespace interlock::observe
