// What a helper process is asked about the cards' holders, as one line of words; and what it saw of them and
// of the containers that bind a card, as one line of JSON.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/holder.h"

namespace interlock::daemon {

/// Who has the cards open.
struct HolderLook {
  std::vector<Holder> holders;
  std::vector<UnknownHolder> unknown;
  bool operator==(const HolderLook&) const = default;
};

/// What stands behind the holders, and changes seldom.
struct BindingLook {
  std::map<PciAddress, std::set<Vmid>> running;  // running containers that bind the card
  std::set<PciAddress> may_sleep;                // `power/control` is `auto`: polling keeps it awake
  std::vector<std::string> trouble;              // what could not be seen, one sentence each
  bool operator==(const BindingLook&) const = default;
};

/// Where to look; nothing: at all of /proc.
std::string holder_question(const std::optional<std::set<Vmid>>& containers);
Result<std::optional<std::set<Vmid>>> parse_holder_question(std::string_view line);

std::string holder_line(const HolderLook& look);
Result<HolderLook> parse_holder_line(std::string_view line);

/// Instead of a look: why there is none. Its parse gives that as the error.
std::string trouble_line(std::string_view trouble);

std::string binding_line(const BindingLook& look);
Result<BindingLook> parse_binding_line(std::string_view line);

}  // namespace interlock::daemon
