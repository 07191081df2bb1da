// The two cards of hosts/two-v620, as paths and numbers, and a configuration's grants as one line of text
// each.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "pve/bindings.h"

namespace interlock::pve::test {

/// gpu1: 0000:03:00.0 = renderD129, card1. gpu2: 0000:83:00.0 = renderD128, card2.
inline std::optional<DeviceNumber> number_of(const std::string& path) {
  static const std::map<std::string, DeviceNumber> numbers = {
      {"/dev/dri/renderD129", {226, 129}},
      {"/dev/dri/card1", {226, 1}},
      {"/dev/dri/renderD128", {226, 128}},
      {"/dev/dri/card2", {226, 2}},
      {"/dev/kfd", {235, 0}},
      {"/dev/fuse", {10, 229}},
      {"/dev/dri/by-path/pci-0000:03:00.0-render", {226, 129}},
      {"/dev/dri/by-path/pci-0000:03:00.0-card", {226, 1}},
      {"/dev/dri/by-path/pci-0000:83:00.0-render", {226, 128}},
      {"/dev/dri/by-path/pci-0000:83:00.0-card", {226, 2}}};
  const auto found = numbers.find(path);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

inline std::string card_of(DeviceNumber number) {
  if (number.major != 226) return "";
  if (number.minor == 129 || number.minor == 1) return "gpu1";
  if (number.minor == 128 || number.minor == 2) return "gpu2";
  return "";
}

inline bool holds_all_nodes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path == "/" || path == "/dev" || path == "/dev/dri" || path == "//dev/dri";
}

/// A grant's effect: "gpu2 now device", "every now mount not-permitted", "gpu1 latent before mount".
inline std::string described(const Grants& grants, const Grant& grant) {
  const auto number = number_of(grant.source);
  std::string text = "none";
  bool usable = true;
  if (number && !card_of(*number).empty()) {
    text = card_of(*number);
    usable = permitted(grants, grant, *number, number_of);
  } else if (grant.may_be_folder && holds_all_nodes(grant.source)) {
    const bool first = permitted(grants, grant, {226, 129}, number_of);
    const bool second = permitted(grants, grant, {226, 128}, number_of);
    text = "every";
    usable = first || second;
    if (first != second) text = first ? "every(gpu1)" : "every(gpu2)";
  }
  switch (grant.when) {
    case Binding::When::now:
      text += " now";
      break;
    case Binding::When::next_start:
      text += " next";
      break;
    case Binding::When::latent:
      text += " latent " + grant.origin;
      break;
  }
  switch (grant.form) {
    case Binding::Form::device:
      text += " dev";
      break;
    case Binding::Form::mount_entry:
      text += " mount";
      break;
    case Binding::Form::mount_point:
      text += " mp";
      break;
    case Binding::Form::included:
      text += " included";
      break;
  }
  if (!usable) text += " not-permitted";
  if (grant.until_stop) text += " until-stop";
  return text;
}

/// All grants that concern a card, then what stands beside them: "privileged-nodes", "unprovable N",
/// "ineffective N", "auto".
inline std::string effect(const Grants& grants) {
  std::string text;
  const auto add = [&](const std::string& piece) { text += (text.empty() ? "" : "; ") + piece; };
  for (const Grant& grant : grants.grants) {
    const std::string piece = described(grants, grant);
    if (!piece.starts_with("none")) add(piece);
  }
  if (grants.may_make_nodes) add("makes-nodes");
  if (!grants.unprovable.empty()) add("unprovable " + std::to_string(grants.unprovable.size()));
  if (!grants.ineffective.empty()) add("ineffective " + std::to_string(grants.ineffective.size()));
  if (grants.lxc_start_auto) add("auto");
  return text;
}

inline Result<std::string> no_files(const std::string& path) {
  return fail("{}: not in this test", path);
}

}  // namespace interlock::pve::test
