#include "bench/made_host.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "observe/card_fixture.h"
#include "observe/policy_fixture.h"
#include "observe/process_fixture.h"

namespace interlock::bench {
namespace {

using namespace tests;

constexpr int kFirstPid = 1000;

/// What a process of a server has open, mostly: nothing of it is a card.
std::string target_of(int descriptor) {
  static constexpr std::array<const char*, 5> kTargets = {
      "/dev/null", "socket:[{}]", "pipe:[{}]", "anon_inode:[eventpoll]", "/var/log/service-{}.log"};
  const auto which = static_cast<std::size_t>(descriptor) % kTargets.size();
  return fmt::format(fmt::runtime(kTargets[which]), 10'000 + descriptor);
}

std::string cgroup_of(int number, const Size& size) {
  if (number >= size.in_containers) return fmt::format("/system.slice/service-{}.service", number % 200);
  const bool first = number % 2 == 0;
  if (number < 2)
    return first ? "/lxc/120/ns/system.slice/llamacpp.service"
                 : "/lxc/123/ns/system.slice/llamacpp-qwen38fn.service";
  return fmt::format("/lxc/{}/ns/system.slice/service-{}.service", first ? 120 : 123, number % 15);
}

void write_one(Tree& tree, int number, const std::string& cgroup, const Size& size) {
  const int pid = kFirstPid + number;
  tree.file(proc(pid) + "/stat", stat_text(pid, fmt::format("service-{}", number), 1000));
  tree.file(proc(pid) + "/cgroup", "0::" + cgroup + "\n");
  tree.file(proc(pid) + "/cmdline", fmt::format("/usr/sbin/service-{}", number));
  for (int descriptor = 0; descriptor < size.descriptors; ++descriptor) {
    if (number < 2 && descriptor == size.descriptors - 1) {
      const PciAddress& card = number == 0 ? kGpu1 : kGpu2;
      write_fd(tree, pid, descriptor, number == 0 ? "/dev/dri/renderD129" : "/dev/dri/renderD128",
               drm_fdinfo(card, 5 + number, 26'000'000));
    } else {
      write_fd(tree, pid, descriptor, target_of(descriptor), "");
    }
  }
}

std::string config_with_card(const std::string& name, const PciAddress& card, const char* primary,
                             const char* render) {
  const std::string by_path = "lxc.mount.entry: /dev/dri/by-path/pci-" + card.text();
  return fmt::format(
      "arch: amd64\ncores: 8\nhostname: {}\nmemory: 16384\nonboot: 1\nostype: ubuntu\n"
      "rootfs: local-lvm:vm-disk-0,size=32G\nswap: 4096\nlxc.cgroup2.devices.allow: c 226:* rwm\n"
      "{}-render dev/dri/{} none bind,optional,create=file\n{}-card dev/dri/{} none "
      "bind,optional,create=file\n",
      name, by_path, render, by_path, primary);
}

/// As Proxmox makes it: raw lines with `=`, behind settings of its own.
void write_generated(Tree& tree, Vmid vmid, const std::string& config) {
  std::string text = "lxc.cgroup.relative = 0\nlxc.cgroup.dir.container = lxc/" + vmid.text() +
                     "\nlxc.include = /usr/share/lxc/config/debian.common.conf\nlxc.arch = amd64\n";
  for (const std::string_view line : lines_of(config)) {
    if (line.starts_with('[')) break;
    if (!line.starts_with("lxc.")) continue;
    const auto colon = line.find(": ");
    text += std::string(line.substr(0, colon)) + " = " + std::string(line.substr(colon + 2)) + "\n";
  }
  tree.file("/var/lib/lxc/" + vmid.text() + "/config", text);
}

void write_container(Tree& tree, Vmid vmid, const std::string& config) {
  write_config(tree, vmid,
               config + "\n[before-upgrade]\narch: amd64\ncores: 2\nonboot: 1\nsnaptime: 1780000000\n");
  write_generated(tree, vmid, config);
}

std::string bystander(int vmid) {
  return fmt::format(
      "#a service%3A number {0}\narch: amd64\ncores: 2\nfeatures: nesting=1\nhostname: service-{0}\n"
      "memory: 2048\nmp0: local-lvm:vm-{0}-disk-1,mp=/srv,size=8G\n"
      "net0: name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:01:21,ip=dhcp,type=veth\nonboot: 1\nostype: debian\n"
      "rootfs: local-lvm:vm-{0}-disk-0,size=8G\nswap: 512\ntags: web\nunprivileged: 1\n"
      "lxc.mount.entry: /srv/share-{0} srv/share none bind,optional,create=dir\n",
      vmid);
}

/// Answers about units without a container to ask.
void write_pct(Tree& tree) {
  tree.script("/usr/sbin/pct",
              "#!/bin/sh\nshift 6\n"  // exec VMID -- systemctl show --property=...
              "for unit; do [ \"$unit\" = -- ] && continue; printf 'Id=%s\\nLoadState=loaded\\n"
              "ActiveState=active\\nSubState=running\\nUnitFileState=enabled\\nNRestarts=0\\nTriggeredBy=\\n"
              "WantedBy=multi-user.target\\nRequiredBy=\\nBoundBy=\\nUpheldBy=\\n\\n' \"$unit\"; done\n");
}

}  // namespace

void write_busy_host(Tree& tree, const Size& size) {
  write_host(tree);
  write_container(tree, k123, config_with_card("gpu2", kGpu2, "card2", "renderD128"));
  write_config(tree, k121, bystander(121));
  std::map<std::string, std::string> cgroups;
  for (int number = 0; number < size.processes; ++number) {
    const std::string cgroup = cgroup_of(number, size);
    write_one(tree, number, cgroup, size);
    cgroups[cgroup] += fmt::format("{}\n", kFirstPid + number);
  }
  for (const auto& [cgroup, pids] : cgroups) tree.file("/sys/fs/cgroup" + cgroup + "/cgroup.procs", pids);
}

void write_host_of_containers(Tree& tree, const Size& size) {
  write_host(tree);
  write_pct(tree);
  write_container(tree, k120, config_with_card("llamacpp", kGpu1, "card1", "renderD129"));
  write_container(tree, k123, config_with_card("gpu2", kGpu2, "card2", "renderD128"));
  std::string running = "120 123";
  for (int count = 2; count < size.containers; ++count) {
    const int vmid = 1000 + count;
    write_container(tree, *Vmid::parse(std::to_string(vmid)), bystander(vmid));
    if (count % 5 == 0) running += fmt::format(" {}", vmid);
  }
  write_running(tree, running);
}

}  // namespace interlock::bench
