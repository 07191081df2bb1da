// The policy, as typed values (design, section 3). Made only by load.h, so that a Policy in hand is a sound
// one.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "base/units.h"
#include "model/identity.h"
#include "model/plan.h"
#include "model/sample.h"

namespace interlock {

using Argv = std::vector<std::string>;

struct PolicyCard {
  CardId id;
  PciAddress pci;
  std::optional<std::string> unique_id;
  bool shared = false;
};

/// resume < warn < trip.
struct Limits {
  Celsius warn;
  Celsius trip;
  Celsius resume;
};

struct ShedTimes {
  Duration freeze = std::chrono::milliseconds(200);
  Duration stop = std::chrono::seconds(20);
  Duration kill = std::chrono::seconds(5);
  Duration container = std::chrono::seconds(40);
};

enum class LatchMode { until_reset, until_cool };
enum class LastResort { none, poweroff };

/// A read of one card that takes longer than this is late: its sample is stale, and its reader is replaced. A
/// read of a card that works takes milliseconds, one of a hung card seconds (amdgpu.md 1.7).
inline constexpr Duration kReadDeadline = std::chrono::milliseconds(200);

struct GuardPolicy {
  Duration poll = std::chrono::milliseconds(500);
  Duration poll_warm = std::chrono::milliseconds(100);
  std::array<std::optional<Limits>, 2> channels;  // by Channel; nothing: not required
  int confirm = 2;
  Duration blind_grace = std::chrono::seconds(2);
  int slew = 10;  // C/s
  ShedTimes shed;
  Bytes idle_memory = 64 * kMiB;
  Bytes idle_floor = 256 * kMiB;
  std::map<CardId, std::vector<Argv>> cool;
  LatchMode latch = LatchMode::until_reset;
  LastResort last_resort = LastResort::none;
  std::vector<Argv> notify;

  /// No grace is shorter (11.5), or one glitch would trip.
  Duration shortest_grace() const;
  const std::optional<Limits>& limits(Channel channel) const {
    return channels[static_cast<std::size_t>(channel)];
  }
};

struct Timing {
  Duration command = std::chrono::seconds(30);
  Duration stop = std::chrono::seconds(90);
  Duration start = std::chrono::seconds(60);
  Duration serve = std::chrono::minutes(20);
  Duration settle = std::chrono::seconds(10);
};

struct PolicyContainer {
  Vmid vmid;
  std::vector<UnitName> units;  // at most one of them at a time
  BindStyle bind = BindStyle::mount_entry;
  std::optional<std::uint64_t> vram_minimum_mib;
};

struct Requirement {
  std::optional<std::string> file;
  std::optional<Argv> command;
};

struct HealthCheck {
  Argv command;
  Duration within = std::chrono::minutes(20);
};

struct PlacedFile {
  std::string path;    // inside the container
  std::string source;  // below the policy's folder; or
  std::optional<std::string> content;
  std::string owner;  // "user:group"; empty: root:root
  std::string mode;   // "0644"
};

struct CutoverContainer {
  Want want;
  std::vector<Requirement> requires_;
  std::vector<HealthCheck> healthy;
  std::vector<PlacedFile> files;
};

struct Cutover {
  std::string name;
  std::map<Vmid, CutoverContainer> containers;
  Target target() const;
};

struct Policy {
  std::string file;               // where it was read, as messages name it
  std::string text;               // its bytes: the journal embeds them
  std::string digest;             // SHA-256 of them
  std::vector<PolicyCard> cards;  // in the file's order
  GuardPolicy guard;
  Timing timing;
  std::map<Vmid, PolicyContainer> containers;
  std::map<std::string, Cutover> cutovers;

  const PolicyCard* card(const CardId& id) const;
  const PolicyCard* card(const PciAddress& pci) const;
  /// The policy's name of the card, or its address where the policy has none.
  std::string card_name(const PciAddress& pci) const;
};

}  // namespace interlock
