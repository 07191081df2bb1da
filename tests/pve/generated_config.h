// Configurations made up from a seed: every kind of line that people and Proxmox write, in every order.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace interlock::pve::test {

class ConfigMaker {
 public:
  explicit ConfigMaker(std::uint32_t seed) : random_(seed) {}

  std::string config() {
    std::string text = section(2 + below(12));
    if (below(3) == 0) text += blanks() + "[pve:pending]" + end() + section(below(4));
    for (unsigned snapshots = below(3); snapshots > 0; --snapshots) {
      text += blanks() + "[snap" + std::to_string(below(2)) + "]" + end() + section(below(6));
    }
    if (below(3) == 0 && !text.empty()) text.pop_back();  // no final LF
    return text;
  }

  std::string line() { return pick(kLines); }
  unsigned below(unsigned limit) { return std::uniform_int_distribution<unsigned>(0, limit - 1)(random_); }

 private:
  std::string section(unsigned lines) {
    std::string text;
    for (; lines > 0; --lines) text += pick(kLines) + end();
    return text;
  }
  std::string blanks() { return below(2) == 0 ? "" : end(); }
  std::string end() { return below(6) == 0 ? "\r\n" : "\n"; }
  std::string pick(const std::vector<std::string>& from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }

  inline static const std::vector<std::string> kLines = {
      "onboot: 1",
      "onboot: maybe",
      "cores: 8 ",
      "memory: 16384",
      "#a comment with %3A and <b>html</b>",
      "# dev0: /dev/dri/renderD128",
      " indented: garbage",
      "",
      " \t",
      "[x]",
      "garbage",
      "delete: dev0",
      "snapstate: delete",
      "dev0: /dev/dri/renderD128,gid=44",
      "dev0: /dev/dri/renderD129",
      "mp0: local-lvm:vm-120-disk-1,mp=/models",
      "lxc.cgroup2.devices.allow: c 226:* rwm",
      "lxc.mount.entry: /dev/dri/by-path/pci-0000:03:00.0-render dev/dri/renderD129 none "
      "bind,optional,create=file",
      "lxc.mount.entry = /dev/dri/by-path/pci-0000:03:00.0-render dev/dri/renderD129 none "
      "bind,optional,create=file",
      "lxc.mount.entry: /dev/dri dev/dri none bind,create=dir",
      "lxc.hook.pre-start: /x",
      "description: text",
  };

  std::mt19937 random_;
};

}  // namespace interlock::pve::test
