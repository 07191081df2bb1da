// The configuration lines that give a container a card (design, section 3): as they once were, or made anew.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "decide/plan_change.h"

namespace interlock::decide {

/// Of the lines that the target wants to see again for `card`, those that its container has not. A line that
/// names a node by its number is given today's: after a boot that number can be another card's (S07).
std::vector<std::string> lines_missing(const HostState& state, const Policy& policy, const Change& change,
                                       const PciAddress& card);

/// A line of `card` stands there in place of one of those, the same but for the number by which it names the
/// node inside: written on the way back, between two boots that each gave the node another.
bool has_outdated_line(const HostState& state, const Policy& policy, const Change& change,
                       const PciAddress& card);

/// All lines to write for `change.gains`: the target's, or the keepsake's, or new ones in the policy's style.
Result<std::vector<std::string>> lines_to_bind(const HostState& state, const Policy& policy,
                                               const Change& change);

/// What that line makes of a configuration, when it is written for `cards`.
Binding binding_of(const HostState& state, const Policy& policy, const std::string& line,
                   const std::vector<PciAddress>& cards);

/// A line as Proxmox reads it: "dev0", "/dev/dri/renderD129".
struct KeyLine {
  std::string_view key;
  std::string_view value;
};
KeyLine key_line(std::string_view line);

/// "dev0", "mp3": a key that exists in numbers, and is set by pct; not "lxc.mount.entry".
bool is_numbered(std::string_view key);

}  // namespace interlock::decide
