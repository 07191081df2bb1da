// The policy and the containers of hosts/two-v620, and the rest of what a look at a whole host needs.
#pragma once

#include <stdexcept>
#include <string>

#include "base/text.h"
#include "host/paths.h"
#include "observe/card_fixture.h"
#include "policy/load.h"

namespace interlock::tests {

inline const Vmid k120 = *Vmid::parse("120");
inline const Vmid k121 = *Vmid::parse("121");
inline const Vmid k123 = *Vmid::parse("123");

inline Policy two_v620_policy(const std::string& unique_id = "7a3b1c5d9e2f4a60") {
  auto policy = load_policy(
      "version: 1\n"
      "cards:\n"
      "  gpu1: { pci: \"0000:03:00.0\" }\n"
      "  gpu2: { pci: \"0000:83:00.0\", unique_id: \"" +
          unique_id +
          "\" }\n"
          "guard:\n"
          "  channels:\n"
          "    junction: { warn: 95, trip: 102, resume: 85 }\n"
          "    memory: { warn: 93, trip: 101, resume: 85 }\n"
          "containers:\n"
          "  120: { units: [llamacpp.service, llamacpp-qwen38fn.service], bind: mount-entry }\n"
          "  123: { units: [llamacpp-qwen38fn.service], bind: mount-entry }\n",
      "policy.yaml");
  if (!policy) throw std::runtime_error(policy.error().front().text());
  return *std::move(policy);
}

inline const std::string kConfig120 =
    "arch: amd64\ncores: 8\nhostname: llamacpp\nmemory: 16384\nonboot: 1\nostype: ubuntu\n"
    "rootfs: local-lvm:vm-120-disk-0,size=32G\nswap: 4096\n"
    "lxc.cgroup2.devices.allow: c 226:* rwm\n"
    "lxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-render dev/dri/renderD129 none "
    "bind,optional,create=file\n"
    "lxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-card dev/dri/card1 none bind,optional,create=file\n";

inline void write_running(Tree& tree, const std::string& vmids) {
  std::string text = "Num       RefCount Protocol Flags    Type St Inode Path\n";
  for (const auto vmid : vmids.empty() ? std::vector<std::string_view>() : split(vmids, ' ')) {
    text += "0000000000000000: 00000002 00000000 00010000 0001 01 12345 @/var/lib/lxc/" + std::string(vmid) +
            "/command\n";
  }
  tree.file("/proc/net/unix", text);
}

inline void write_config(Tree& tree, Vmid vmid, const std::string& text) {
  tree.file("/etc/pve/nodes/pve/lxc/" + vmid.text() + ".conf", text);
}

/// Cards, a mounted /etc/pve with container 120, and /proc with nobody in it.
inline void write_host(Tree& tree) {
  write_two_cards(tree);
  tree.file("/proc/sys/kernel/random/boot_id", "6d1f7a5e-8a43-4f0e-9d52-0f8f9b0e7c11\n").folder("/proc/1");
  tree.folder("/etc/pve/nodes/pve/lxc")
      .link("/etc/pve/local", "nodes/pve")
      .link("/etc/pve/lxc", "nodes/pve/lxc");
  write_config(tree, k120, kConfig120);
  write_running(tree, "");
}

}  // namespace interlock::tests
