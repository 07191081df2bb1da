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
#include "model/ledger.h"

namespace interlock {

enum class BindStyle : std::uint8_t { mount_entry, device };
std::string_view to_string(BindStyle style);  // "mount-entry", "dev"

/// What is wanted of one container. What is not named stays as it is.
struct Want {
  std::optional<RunState> state;  // running or stopped
  std::optional<std::set<PciAddress>> cards;
  std::optional<UnitName> serve;  // the one declared unit to be enabled and serving
  bool retire_all = false;        // a way back to where no declared unit served or was enabled
  bool start = true;              // `serve` is to run; false: it was enabled and did not run
  bool serving = true;            // `serve` is to be seen serving; false: it ran and did not serve
  bool enable = true;             // `serve` is to be enabled; false: it ran and was not enabled
  Settings settings;              // cores, memory, swap, onboot
  std::map<PciAddress, std::vector<std::string>> lines;  // binding lines to put back as they were
  bool keep_binding = false;                             // `release: keep-binding`
  bool operator==(const Want&) const = default;
};

struct Target {
  std::string name;  // "to-qwen38fn"; the way back: "back to before to-qwen38fn"
  std::map<Vmid, Want> wants;
  bool operator==(const Target&) const = default;
};

/// In the order that is a law (design, section 6).
enum class StepKind : std::uint8_t {
  take_card,        // ledger: the card is held by this cutover
  retire_unit,      // disabled and inactive, both seen
  clear_autostart,  // onboot 0
  stop_container,
  see_card_free,  // no process has it open, its memory at the idle floor
  release_cards,  // every form of binding taken out
  bind_cards,
  set_limits,
  give_card,  // ledger: the card is the container's
  start_container,
  start_unit,
  see_serving,
  enable_unit,
  restore_autostart,
  sweep,  // everything that the target says, looked at once more
};
std::string_view to_string(StepKind kind);  // "take-card"

struct Step {
  int id = 0;  // from 1
  StepKind kind = StepKind::sweep;
  std::optional<Vmid> container;
  std::optional<UnitName> unit;
  std::vector<PciAddress>
      cards;          // those it is about; start_container, see_serving: those that the container has then
  Owner owner;        // take_card, give_card: what the ledger then says of the card
  Settings settings;  // set_limits, clear_autostart, restore_autostart; an empty set_limits: see plan.h
  std::vector<std::string>
      lines;                    // bind_cards: to write, in order; release_cards: to take out, as they stood
  std::string card_name;        // the policy's name of the card: take_card, see_card_free, give_card
  std::string text;             // one sentence for a person
  std::string subject() const;  // "gpu1", "120", "120/llamacpp.service", "host": what it is about
  bool operator==(const Step&) const = default;
};

struct Plan {
  Target target;        // with what it left open filled in from the state that was planned from
  std::string cutover;  // the id that takes cards in the ledger
  std::vector<Step> steps;
  std::map<Vmid, std::string> digests;  // of each configuration involved, when it was planned
  std::string boot_id;
  bool empty() const { return steps.empty(); }
};

struct Proof {
  int states = 0;                        // states on the way that were looked at
  int boots = 0;                         // power cuts and the boots that follow
  int ways_back = 0;                     // plans back that were walked
  std::vector<std::string> breaches;     // what this plan would break: an invariant, the order, the way back
  std::vector<std::string> inherited;    // invariants that were broken before its first step, by whomever
  std::vector<std::string> cannot_tell;  // what no look at the host can show before it happens
  bool holds() const { return breaches.empty(); }
};

}  // namespace interlock
