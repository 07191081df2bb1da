// Which container may hold each card (design, sections 6 and 11.1).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/identity.h"

namespace interlock {

struct Owner {
  enum class Kind { none, container, held };
  Kind kind = Kind::none;
  std::optional<Vmid> container;  // Kind::container
  std::string cutover;            // Kind::held: its id
  bool operator==(const Owner&) const = default;

  static Owner nobody() { return {}; }
  static Owner of(Vmid vmid) { return {Kind::container, vmid, {}}; }
  static Owner held_by(std::string cutover) { return {Kind::held, std::nullopt, std::move(cutover)}; }
  std::string text() const;  // "120", "none", "held:<cutover>"
  static std::optional<Owner> parse(std::string_view text);
};

/// A card without a line is judged by I1 alone.
using Ledger = std::map<PciAddress, Owner>;

}  // namespace interlock
