// The two cards of hosts/two-v620 as literal files below a Tree.
#pragma once

#include "model/identity.h"
#include "tree.h"

namespace interlock::tests {

inline const PciAddress kGpu1 = *PciAddress::parse("0000:03:00.0");
inline const PciAddress kGpu2 = *PciAddress::parse("0000:83:00.0");

inline std::string pci_folder(const PciAddress& pci) {
  return "/sys/bus/pci/devices/" + pci.text();
}

/// temp1 is edge, temp2 junction, temp3 mem, as the driver numbers them.
inline void write_hwmon(Tree& tree, const PciAddress& pci, const std::string& hwmon) {
  const std::string folder = pci_folder(pci) + "/hwmon/" + hwmon + "/";
  tree.file(folder + "name", "amdgpu\n");
  tree.file(folder + "temp1_label", "edge\n").file(folder + "temp1_input", "48000\n");
  tree.file(folder + "temp2_label", "junction\n").file(folder + "temp2_input", "62000\n");
  tree.file(folder + "temp3_label", "mem\n").file(folder + "temp3_input", "73000\n");
  tree.file(folder + "temp2_emergency", "115000\n").file(folder + "temp3_emergency", "103000\n");
}

inline void write_card(Tree& tree, const PciAddress& pci, int card, int render, const std::string& hwmon) {
  const std::string folder = pci_folder(pci);
  const std::string card_node = "card" + std::to_string(card);
  const std::string render_node = "renderD" + std::to_string(render);
  tree.link(folder + "/driver", "../../../../bus/pci/drivers/amdgpu");
  tree.file(folder + "/power/runtime_status", "active\n").file(folder + "/unique_id", "7a3b1c5d9e2f4a60\n");
  tree.file(folder + "/config", std::string("\x02\x10\xa1\x73", 4))
      .file(folder + "/gpu_busy_percent", "97\n");
  tree.file(folder + "/mem_info_vram_total", "34342961152\n")
      .file(folder + "/mem_info_vram_used", "26600000000\n");
  tree.file(folder + "/mem_info_gtt_used", "20971520\n");
  tree.folder(folder + "/drm/" + card_node).folder(folder + "/drm/" + render_node);
  tree.file("/dev/dri/" + card_node, "").file("/dev/dri/" + render_node, "");
  tree.link("/dev/dri/by-path/pci-" + pci.text() + "-card", "../" + card_node);
  tree.link("/dev/dri/by-path/pci-" + pci.text() + "-render", "../" + render_node);
  write_hwmon(tree, pci, hwmon);
}

/// hosts/two-v620: gpu1 is renderD129 and card1, gpu2 renderD128 and card2.
inline void write_two_cards(Tree& tree) {
  write_card(tree, kGpu1, 1, 129, "hwmon3");
  write_card(tree, kGpu2, 2, 128, "hwmon4");
}

}  // namespace interlock::tests
