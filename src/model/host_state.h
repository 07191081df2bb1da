// All that a decision may know of the host, read at one time.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/container.h"
#include "model/holder.h"
#include "model/identity.h"
#include "model/ledger.h"
#include "model/sample.h"
#include "model/verdict.h"

namespace interlock {

struct Card {
  CardId id;
  PciAddress pci;
  bool present = false;
  std::string driver{};                    // "" for none
  std::optional<std::string> unique_id{};  // as the driver gives it now
  bool replaced = false;                   // another unique_id than the policy's
  std::vector<std::string> nodes{};        // names in drm/: "card1", "renderD129"
  std::optional<CardSample> sample{};
  std::optional<Bytes> memory_total{};    // mem_info_vram_total
  std::optional<Bytes> memory_used{};     // mem_info_vram_used
  std::optional<Bytes> gtt_used{};        // mem_info_gtt_used
  std::optional<Celsius> emergency[2]{};  // tempN_emergency by Channel: the driver powers the host off there
  std::vector<Holder> holders{};
  std::array<std::optional<Celsius>, 2>
      second_opinion{};  // by Channel, from libsensors; nothing: it has none
};

/// What the daemon last said of itself (run/gpu-interlock/guard.json).
struct GuardReport {
  Truth running = Truth::unknown;  // yes: its lock is held
  bool fresh = false;              // it judged every card within its deadline
  std::optional<Instant> judged_at;
  std::map<CardId, GuardState> states;
  std::map<CardId, std::string> reasons;  // why, as a sentence; empty while guarding
  std::map<CardId, Verdicts> verdicts;
};

struct Latch {
  TripReason reason = TripReason::blind;
  std::string why;       // a sentence for a person
  std::string tripped;   // wall-clock time, for a person only
  bool damaged = false;  // the file could not be understood: latched all the same
};

struct OpenCutover {
  std::string id;
  std::string name;
  std::string state;      // "running", "interrupted"
  bool attended = false;  // a process is at it
};

/// CPUs that share one frequency policy's setting (kernel: Documentation/admin-guide/pm/cpufreq.rst).
struct CpuGovernor {
  std::string driver;    // scaling_driver: "acpi-cpufreq", "amd-pstate-epp"
  std::string governor;  // scaling_governor
  int cpus = 0;
};

struct HostState {
  Instant taken_at{};
  std::string boot_id;
  std::string node;
  Truth pve_mounted = Truth::unknown;
  Truth quorate = Truth::unknown;
  Truth backup_running = Truth::unknown;
  std::vector<Card> cards;            // the policy's
  std::vector<Container> containers;  // all of this node, by VMID
  std::vector<UnknownHolder> unknown_holders;
  std::map<PciAddress, std::vector<std::string>>
      vms;                           // VMs with hostpci of a card that run or autostart: "VM 200"
  std::vector<std::string> workers;  // titles of Proxmox tasks at work on declared containers
  std::optional<Ledger> ledger;  // nothing: unreadable (see ledger_error); an absent file is an empty ledger
  std::string ledger_error;
  std::map<PciAddress, Latch> latches;
  GuardReport guard;
  std::optional<OpenCutover> cutover;
  std::vector<CpuGovernor> governors;  // each pair of driver and governor once
  std::optional<std::vector<std::string>>
      gate_gaps;              // ways to start a container that the gate is not in; nothing: unknown
  std::string policy_broken;  // why the policy's file cannot be used, where its kept copy stands in for it
  std::vector<std::string> cannot_tell;  // what could not be seen, one sentence each

  const Card* card(const CardId& id) const;
  const Card* card(const PciAddress& pci) const;
  const Container* container(Vmid vmid) const;
  Container* container(Vmid vmid);
};

}  // namespace interlock
