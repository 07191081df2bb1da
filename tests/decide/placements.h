// Small hosts whose every legal placement of cards, containers and units has a number (verification.md 3.5).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "planning.h"

namespace interlock::planning {

struct World {
  int containers;
  int cards;

  static constexpr int kUnits = 2;
  static constexpr int kModes = kUnits + 2;  // runs and serves one unit; runs and serves none; stands

  static Vmid vmid(int at) { return *Vmid::parse(std::to_string(100 + at)); }
  static PciAddress pci(int at) { return *PciAddress::parse("0000:0" + std::to_string(at + 1) + ":00.0"); }
  static UnitName unit(int at) { return *UnitName::parse("model-" + std::to_string(at) + ".service"); }
  static std::string name(const char* kind, int number) { return kind + std::to_string(number); }

  Policy policy() const {
    Policy made;
    for (int at = 0; at < cards; ++at) {
      made.cards.push_back({*CardId::parse(name("gpu", at)), pci(at), {}, false});
    }
    for (int at = 0; at < containers; ++at) {
      // Every second one is written by devN.
      const BindStyle style = at % 2 == 0 ? BindStyle::mount_entry : BindStyle::device;
      made.containers.emplace(vmid(at), PolicyContainer{vmid(at), {unit(0), unit(1)}, style, {}});
    }
    return made;
  }

  std::uint64_t count() const {
    std::uint64_t all = 1;
    for (int at = 0; at < cards; ++at) all *= static_cast<std::uint64_t>(containers + 1);
    for (int at = 0; at < containers; ++at) all *= kModes;
    return all;
  }

  /// Placement number `number` as a wish.
  Target target(std::uint64_t number) const {
    Target made{"placement " + std::to_string(number), {}};
    const auto digit = [&](int base) {
      const auto value = static_cast<int>(number % static_cast<std::uint64_t>(base));
      number /= static_cast<std::uint64_t>(base);
      return value;
    };
    for (int at = 0; at < containers; ++at) {
      const int mode = digit(kModes);
      Want& want = made.wants[vmid(at)];
      const bool stands = mode == kModes - 1;
      want = stands ? stopped() : running({}, mode < kUnits ? std::optional(unit(mode)) : std::nullopt);
      want.retire_all = mode == kUnits;
      want.settings["onboot"] = stands ? "0" : "1";
    }
    for (int card = 0; card < cards; ++card) {
      const int owner = digit(containers + 1);
      if (owner < containers) made.wants[vmid(owner)].cards->insert(pci(card));
    }
    return made;
  }

  /// The first of those pairs that differ from this one in nothing but which card or unit is which.
  bool is_first_of_its_kind(std::uint64_t from, std::uint64_t to) const {
    const auto digits = [&](int base) {
      const auto wide = static_cast<std::uint64_t>(base);
      const auto both = std::pair(static_cast<int>(from % wide), static_cast<int>(to % wide));
      from /= wide;
      to /= wide;
      return both;
    };
    const auto other = [](int mode) { return mode < kUnits ? kUnits - 1 - mode : mode; };
    for (int at = 0; at < containers; ++at) {
      const auto modes = digits(kModes);
      if (std::pair(other(modes.first), other(modes.second)) < modes) return false;
    }
    auto before = digits(containers + 1);
    for (int card = 1; card < cards; ++card) {
      const auto owners = digits(containers + 1);
      if (owners < before) return false;
      before = owners;
    }
    return true;
  }

  /// Nothing anywhere: every placement is reached from here.
  HostState empty() const {
    HostState state;
    state.boot_id = "1";
    state.ledger = Ledger{};
    for (int at = 0; at < cards; ++at) {
      state.cards.push_back(
          two_v620::card(name("gpu", at).c_str(), pci(at), name("card", at), name("renderD", at + 128)));
    }
    for (int at = 0; at < containers; ++at) {
      Container made = two_v620::container(vmid(at), {{"memory", "4096"}, {"onboot", "0"}});
      made.running = RunState::stopped;
      made.autostart = {};
      made.units_answer = UnitsAnswer::not_running;
      made.units = {two_v620::unit(unit(0), false), two_v620::unit(unit(1), false)};
      state.containers.push_back(made);
    }
    return state;
  }

  HostState placed(std::uint64_t number) const {
    const HostState state = empty();
    const Policy rules = policy();
    return walked(state, rules, planned(state, rules, target(number), "c0"));
  }
};

/// All of a state that a plan can change, in a number: two states with one number are one.
inline std::size_t key(const HostState& state) {
  std::string text;
  const auto add = [&](const auto& part) {
    text += part;
    text += '\n';
  };
  const auto add_cards = [&](const std::set<PciAddress>& cards) {
    for (const PciAddress& card : cards) text += card.text();
    text += '\n';
  };
  for (const Container& container : state.containers) {
    text += static_cast<char>('0' + static_cast<int>(container.running));
    text +=
        static_cast<char>('0' + (container.autostart.onboot ? 1 : 0) + (container.generated_stale ? 2 : 0));
    for (const auto& [setting, value] : container.settings) add(setting + (value ? "=" + *value : ""));
    for (const Binding& binding : container.bindings) {
      add(binding.line);
      text += static_cast<char>('0' + static_cast<int>(binding.when) + (binding.live_after_removal ? 4 : 0));
    }
    add_cards(container.generated_cards);
    for (const Unit& unit : container.units) {
      text += static_cast<char>('0' + static_cast<int>(unit.active));
      text += static_cast<char>('0' + static_cast<int>(unit.file));
    }
    for (const auto& [card, lines] : container.keepsake.lines) {
      add(card.text());
      for (const std::string& line : lines) add(line);
    }
    if (container.keepsake.onboot) add(container.keepsake.onboot->value_or("absent"));
  }
  for (const auto& [card, owner] : *state.ledger) add(card.text() + owner.text());
  for (const Card& card : state.cards) {
    for (const Holder& holder : card.holders) add(holder.place.container->text() + holder.place.unit->text());
    text += '|';
  }
  return std::hash<std::string>{}(text);
}

}  // namespace interlock::planning
