// Every path that the product reads, writes or executes, in one place (design, section 2).
#pragma once

#include <string>

#include "model/identity.h"

namespace interlock::paths {

inline constexpr const char* kPolicy = "/etc/gpu-interlock/policy.yaml";
inline constexpr const char* kState = "/var/lib/gpu-interlock";
inline constexpr const char* kKeptPolicy = "/var/lib/gpu-interlock/policy.kept.yaml";
inline constexpr const char* kLedger = "/var/lib/gpu-interlock/ledger";
inline constexpr const char* kLatches = "/var/lib/gpu-interlock/latches";  // one file a card, by PCI address
inline constexpr const char* kKeepsakes = "/var/lib/gpu-interlock/keepsakes";  // one file a container
inline constexpr const char* kCutovers = "/var/lib/gpu-interlock/cutovers";
inline constexpr const char* kRun = "/run/gpu-interlock";
inline constexpr const char* kCutoverLock = "/run/gpu-interlock/cutover.lock";
inline constexpr const char* kGateLock = "/run/gpu-interlock/gate.lock";
inline constexpr const char* kGuardLock = "/run/gpu-interlock/guard.lock";
inline constexpr const char* kGuardReport = "/run/gpu-interlock/guard.json";
inline constexpr const char* kTrips = "/run/gpu-interlock/trips";  // what the guard remembers of its cards
inline constexpr const char* kMetrics = "/run/gpu-interlock/metrics.prom";
inline constexpr const char* kControlSocket = "/run/gpu-interlock/control";
inline constexpr const char* kFreezes = "/run/gpu-interlock/freezes";  // one file a frozen cgroup
inline constexpr const char* kClaims = "/run/gpu-interlock/claims";  // one file a container that is starting
inline constexpr const char* kAllowances =
    "/run/gpu-interlock/allowances";  // one file a container let through once
inline constexpr const char* kRecord = "/var/lib/gpu-interlock/record";  // what people overrode, and why
inline constexpr const char* kPct = "/usr/sbin/pct";
inline constexpr const char* kSystemctl = "/usr/bin/systemctl";
inline constexpr const char* kContainers = "/etc/pve/lxc";
inline constexpr const char* kVirtualMachines = "/etc/pve/qemu-server";
inline constexpr const char* kPveLocal = "/etc/pve/local";
inline constexpr const char* kHaResources = "/etc/pve/ha/resources.cfg";
inline constexpr const char* kBackupLock = "/var/run/vzdump.lock";
inline constexpr const char* kPveDatabaseLog = "/var/lib/pve-cluster/config.db-wal";
inline constexpr const char* kPciDevices = "/sys/bus/pci/devices";
inline constexpr const char* kBootId = "/proc/sys/kernel/random/boot_id";
inline constexpr const char* kUnixSockets = "/proc/net/unix";

inline std::string container_config(Vmid vmid) {
  return std::string(kContainers) + "/" + vmid.text() + ".conf";
}
inline std::string generated_config(Vmid vmid) {
  return "/var/lib/lxc/" + vmid.text() + "/config";
}
inline std::string container_lock(Vmid vmid) {
  return "/run/lock/lxc/pve-config-" + vmid.text() + ".lock";
}
inline std::string container_cgroup(Vmid vmid) {
  return "/sys/fs/cgroup/lxc/" + vmid.text();
}
inline std::string cgroup(const std::string& path) {
  return "/sys/fs/cgroup" + path;
}
inline std::string pci_device(const PciAddress& pci) {
  return std::string(kPciDevices) + "/" + pci.text();
}
inline std::string latch(const PciAddress& pci) {
  return std::string(kLatches) + "/" + pci.text();
}
inline std::string claim(Vmid vmid) {
  return std::string(kClaims) + "/" + vmid.text();
}
inline std::string allowance(Vmid vmid) {
  return std::string(kAllowances) + "/" + vmid.text();
}
inline std::string keepsake(Vmid vmid) {
  return std::string(kKeepsakes) + "/" + vmid.text();
}

}  // namespace interlock::paths
