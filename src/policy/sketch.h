// A first policy for a person to look through: values, each with a note where it comes from, to commented
// YAML.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "policy/policy.h"

namespace interlock {

/// A value and why it is so: a comment above it. Empty: it needs none.
template <class T>
struct Noted {
  T value;
  std::string note = {};
};

struct SketchContainer {
  Vmid vmid;
  std::vector<std::string> notes{};
  std::vector<Noted<UnitName>> units{};
  std::vector<std::string> left_out{};  // units that were asked for and cannot stand here: why
  Noted<BindStyle> bind{BindStyle::mount_entry};
  bool running = false;
  std::vector<CardId> cards{};        // that it binds now
  std::optional<UnitName> serving{};  // of its units, the only one that uses them now
};

struct Sketch {
  std::vector<std::string> heading;  // paragraphs
  std::vector<Noted<PolicyCard>> cards;
  std::vector<std::string> cards_left_out;  // a sentence each
  std::array<std::optional<Noted<Limits>>, 2> channels;
  Noted<Duration> poll{GuardPolicy{}.poll};
  Noted<Duration> poll_warm{GuardPolicy{}.poll_warm};
  Noted<LatchMode> latch{LatchMode::until_reset};
  Noted<LastResort> last_resort{LastResort::none};
  std::vector<SketchContainer> containers;
  std::vector<std::string> containers_left_out;
};

/// Text that load_policy() takes, if it names a card and a channel.
std::string policy_text(const Sketch& sketch);

/// Cards and containers only, with any limits: what a look at the host wants before there is a policy.
Sketch bare_sketch(const std::vector<PolicyCard>& cards);

/// "gpu1" for the first, and so on.
CardId card_name_at(std::size_t index);

/// A driver's unique_id as a policy can hold it: 16 hexadecimal digits.
bool is_unique_id(const std::string& text);

}  // namespace interlock
