#include "decide/power.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace interlock::decide {
namespace {

/// By a start or the post-stop hook: pending changes are applied, and lxc's configuration is made anew.
void settle(Container& container) {
  std::erase_if(container.bindings, &Binding::live_after_removal);
  for (Binding& binding : container.bindings) {
    if (binding.when == Binding::When::next_start) binding.when = Binding::When::now;
  }
  container.pending.clear();
  regenerate(container);
}

void stop_units(Container& container) {
  container.running = RunState::stopped;
  container.units_answer = UnitsAnswer::not_running;
  container.units_error.clear();
  for (Unit& unit : container.units) unit.active = ActiveState::inactive;
}

ActiveState after_start(const Unit& unit) {
  switch (would_start(unit)) {
    case Truth::yes:
      return ActiveState::active;
    case Truth::no:
      return ActiveState::inactive;
    case Truth::unknown:
      return ActiveState::unknown;
  }
  return ActiveState::unknown;
}

}  // namespace

bool comes_up_at_boot(const Container& container) {
  if (container.is_template || !container.autostart.any()) return false;
  // pve-guests takes `backup` away before it starts anybody, a start lets `mounted` pass, and HA's recovery
  // removes most others (pct.md, section 5).
  return container.lock.empty() || container.lock == "backup" || container.lock == "mounted" ||
         container.autostart.ha_state.has_value();
}

std::set<PciAddress> to_generate(const Container& container) {
  std::set<PciAddress> cards;
  for (const Binding& binding : container.bindings) {
    const bool raw = binding.form == Binding::Form::mount_entry || binding.form == Binding::Form::included;
    if (raw && binding.when == Binding::When::now) cards.insert(binding.cards.begin(), binding.cards.end());
  }
  return cards;
}

void regenerate(Container& container) {
  container.generated_cards = to_generate(container);
  container.generated_stale = false;
}

void come_up(Container& container) {
  settle(container);
  container.running = RunState::running;
  container.units_answer = UnitsAnswer::answered;
  container.units_error.clear();
  for (Unit& unit : container.units) unit.active = after_start(unit);
}

void go_down(Container& container) {
  settle(container);
  stop_units(container);
}

void lose_power(Container& container) {
  std::erase_if(container.bindings, &Binding::live_after_removal);
  stop_units(container);
}

bool is_on(std::string_view value) {
  std::string lower(value);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower != "0" && lower != "off" && lower != "no" && lower != "false" && !lower.empty();
}

}  // namespace interlock::decide
