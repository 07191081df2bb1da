// Where a cutover wants to go, and the steps that lead there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/container.h"
#include "model/identity.h"

namespace interlock {

enum class BindStyle : std::uint8_t { mount_entry, device };
std::string_view to_string(BindStyle style);  // "mount-entry", "dev"

/// What is wanted of one container. What is not named stays as it is.
struct Want {
  std::optional<RunState> state;                // running or stopped
  std::optional<std::set<PciAddress>> cards;
  std::optional<UnitName> serve;                // the one declared unit to be enabled and serving
  bool retire_all = false;                      // a way back to where no declared unit served or was enabled
  bool serving = true;                          // false: enable and start `serve`, but do not wait for it to serve
  Settings settings;                            // cores, memory, swap, onboot
  std::map<PciAddress, std::vector<std::string>> lines;  // binding lines to put back as they were
  bool keep_binding = false;                    // `release: keep-binding`
  bool operator==(const Want&) const = default;
};

struct Target {
  std::string name;             // "to-qwen38fn"; the way back: "back to before to-qwen38fn"
  std::map<Vmid, Want> wants;
  bool operator==(const Target&) const = default;
};

/// In the order that is a law (design, section 6).
enum class StepKind : std::uint8_t {
  take_card,          // ledger: the card is held by this cutover
  retire_unit,        // disabled and inactive, both seen
  clear_autostart,    // onboot 0
  stop_container,
  see_card_free,      // no process has it open, its memory at the idle floor
  release_cards,      // every form of binding taken out
  bind_cards,
  set_limits,
  give_card,          // ledger: the card is the container's
  start_container,
  start_unit,
  see_serving,
  enable_unit,
  restore_autostart,
  sweep,              // everything that the target says, looked at once more
};
std::string_view to_string(StepKind kind);  // "take-card"

struct Step {
  int id = 0;                        // from 1
  StepKind kind = StepKind::sweep;
  std::optional<Vmid> container;
  std::optional<UnitName> unit;
  std::vector<PciAddress> cards;
  Settings settings;                 // set_limits, clear_autostart, restore_autostart
  std::vector<std::string> lines;    // bind_cards: the lines to write, in order
  std::string text;                  // one sentence for a person
  std::string subject() const;       // "gpu", "120", "120/llamacpp.service": what it is about
  bool operator==(const Step&) const = default;
};

struct Plan {
  Target target;
  std::vector<Step> steps;
  std::map<Vmid, std::string> digests;  // of each configuration involved, when it was planned
  std::string boot_id;
  bool empty() const { return steps.empty(); }
};

struct Proof {
  int states = 0;     // states on the way that were looked at
  int boots = 0;      // power cuts and the boots that follow
  int ways_back = 0;  // plans back that were walked
  std::vector<std::string> breaches;
  bool holds() const { return breaches.empty(); }
};

}  // namespace interlock
