// The policy's sections, each read into a Draft. Cards and containers come first: the other sections name
// them.
#pragma once

#include <set>
#include <string>

#include "policy/policy.h"
#include "policy/reader.h"

namespace interlock {

struct Draft {
  Policy policy;
  std::set<std::string>
      card_keys;  // also of cards with a mistake in them, which then need no second complaint
  std::set<std::string> container_keys;
};

void read_cards(const Entry& section, Draft& draft);
void read_guard(const Entry& section, Draft& draft);
void read_timing(const Entry& section, Draft& draft);
void read_containers(const Entry& section, Draft& draft);
void read_cutovers(const Entry& section, Draft& draft);

/// One container's part of a cutover.
void read_want(const Member& member, Draft& draft, Cutover& cutover);

// What several sections share.

/// The card that `entry` names, or nothing after a complaint; `draft` knows all cards.
const PolicyCard* read_card_name(const Entry& entry, const std::string& name, const Draft& draft);

/// A command as a list of words, never a line for a shell. `on_host`: its first word is an absolute path.
std::optional<Argv> read_command(const Entry& entry, bool on_host);
/// A list of commands of the host; a single command may stand for a list of one.
std::optional<std::vector<Argv>> read_commands(const Entry& entry);

/// An absolute path of a file, without "." and "..".
std::optional<std::string> read_absolute_path(const Entry& entry);
/// The same rule for a path below some folder.
std::optional<std::string> read_relative_path(const Entry& entry);

}  // namespace interlock
