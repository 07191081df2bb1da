// Cards below a Tree as the kernel shows them: the folder in /sys/devices, and links to it from the bus and
// from the class hwmon (kernel: Documentation/admin-guide/sysfs-rules.rst).
#pragma once

#include "private_machine.h"
#include "tree.h"

namespace interlock::tests {

/// As an event names it: below /sys.
inline std::string device_path(const std::string& pci) {
  return "/devices/pci" + pci.substr(0, 7) + "/" + pci;
}

/// A number of the class hwmon, for a chip anywhere.
inline void give_number(Tree& tree, const std::string& hwmon, const std::string& folder) {
  tree.link("/sys/class/hwmon/" + hwmon, "../../" + folder.substr(1));
}

/// One amdgpu chip in that folder, of the card at `pci`; in degrees.
inline void write_chip(Tree& tree, const std::string& folder, const std::string& pci, int junction,
                       int memory) {
  tree.file(folder + "/name", "amdgpu\n").link(folder + "/device", "/sys" + device_path(pci));
  const auto channel = [&](const std::string& stem, const std::string& label, int degrees) {
    tree.file(folder + "/" + stem + "_label", label + "\n");
    tree.file(folder + "/" + stem + "_input", std::to_string(degrees * 1000) + "\n");
  };
  channel("temp1", "edge", junction - 7);
  channel("temp2", "junction", junction);
  channel("temp3", "mem", memory);
}

inline std::string chip_path(const std::string& pci, const std::string& hwmon) {
  return device_path(pci) + "/hwmon/" + hwmon;
}

/// hwmon as a number: "hwmon3".
inline void write_kernel_card(Tree& tree, const std::string& pci, const std::string& hwmon, int junction,
                              int memory) {
  const std::string device = "/sys" + device_path(pci);
  tree.folder("/sys/bus/pci/drivers/amdgpu");
  tree.link("/sys/bus/pci/devices/" + pci, "../../.." + device_path(pci));
  tree.link(device + "/subsystem", "/sys/bus/pci").link(device + "/driver", "/sys/bus/pci/drivers/amdgpu");
  tree.file(device + "/config", std::string("\x02\x10\xa1\x73", 4));
  tree.folder(device + "/power").file(device + "/power/runtime_status", "active\n");
  write_chip(tree, "/sys" + chip_path(pci, hwmon), pci, junction, memory);
  give_number(tree, hwmon, chip_path(pci, hwmon));
}

inline void remove_kernel_card(Tree& tree, const std::string& pci, const std::string& hwmon) {
  tree.remove("/sys/class/hwmon/" + hwmon)
      .remove("/sys/bus/pci/devices/" + pci)
      .remove("/sys" + device_path(pci));
}

/// The whole of /sys cannot be covered: libsensors wants a sysfs there (amdgpu.md, 5.6).
inline std::vector<Cover> over_sys(Tree& tree) {
  std::vector<Cover> covers;
  for (const char* folder : {"/sys/class", "/sys/bus", "/sys/devices"}) {
    tree.folder(folder);
    covers.push_back({tree.real(folder).string(), folder});
  }
  return covers;
}

}  // namespace interlock::tests
