// The design's words for each enumerator: logs, JSON and messages all take them from here.
#include <array>
#include <utility>

#include "model/container.h"
#include "model/finding.h"
#include "model/plan.h"
#include "model/sample.h"
#include "model/unit.h"
#include "model/verdict.h"

namespace interlock {
namespace {

template <class Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

template <class Enum, std::size_t N>
std::string_view word_of(const Words<Enum, N>& words, Enum value) {
  for (const auto& [candidate, word] : words) {
    if (candidate == value) return word;
  }
  return "unknown";
}

template <class Enum, std::size_t N>
Enum value_of(const Words<Enum, N>& words, std::string_view text, Enum otherwise) {
  for (const auto& [value, word] : words) {
    if (word == text) return value;
  }
  return otherwise;
}

constexpr Words<LoadState, 4> kLoadStates{{{LoadState::loaded, "loaded"},
                                           {LoadState::not_found, "not-found"},
                                           {LoadState::masked, "masked"},
                                           {LoadState::bad, "bad-setting"}}};

constexpr Words<ActiveState, 6> kActiveStates{{{ActiveState::active, "active"},
                                               {ActiveState::reloading, "reloading"},
                                               {ActiveState::inactive, "inactive"},
                                               {ActiveState::failed, "failed"},
                                               {ActiveState::activating, "activating"},
                                               {ActiveState::deactivating, "deactivating"}}};

constexpr Words<UnitFileState, 14> kUnitFileStates{{{UnitFileState::enabled, "enabled"},
                                                    {UnitFileState::enabled_runtime, "enabled-runtime"},
                                                    {UnitFileState::linked, "linked"},
                                                    {UnitFileState::linked_runtime, "linked-runtime"},
                                                    {UnitFileState::alias, "alias"},
                                                    {UnitFileState::masked, "masked"},
                                                    {UnitFileState::masked_runtime, "masked-runtime"},
                                                    {UnitFileState::is_static, "static"},
                                                    {UnitFileState::indirect, "indirect"},
                                                    {UnitFileState::disabled, "disabled"},
                                                    {UnitFileState::generated, "generated"},
                                                    {UnitFileState::transient, "transient"},
                                                    {UnitFileState::bad, "bad"},
                                                    {UnitFileState::none, ""}}};

constexpr Words<RuntimeStatus, 6> kRuntimeStatus{{{RuntimeStatus::active, "active"},
                                                  {RuntimeStatus::suspended, "suspended"},
                                                  {RuntimeStatus::suspending, "suspending"},
                                                  {RuntimeStatus::resuming, "resuming"},
                                                  {RuntimeStatus::error, "error"},
                                                  {RuntimeStatus::unsupported, "unsupported"}}};

constexpr Words<StepKind, 15> kStepKinds{{{StepKind::take_card, "take-card"},
                                          {StepKind::retire_unit, "retire-unit"},
                                          {StepKind::clear_autostart, "clear-autostart"},
                                          {StepKind::stop_container, "stop-container"},
                                          {StepKind::see_card_free, "see-card-free"},
                                          {StepKind::release_cards, "release-cards"},
                                          {StepKind::bind_cards, "bind-cards"},
                                          {StepKind::set_limits, "set-limits"},
                                          {StepKind::give_card, "give-card"},
                                          {StepKind::start_container, "start-container"},
                                          {StepKind::start_unit, "start-unit"},
                                          {StepKind::see_serving, "see-serving"},
                                          {StepKind::enable_unit, "enable-unit"},
                                          {StepKind::restore_autostart, "restore-autostart"},
                                          {StepKind::sweep, "sweep"}}};

constexpr Words<VerdictKind, 5> kVerdicts{{{VerdictKind::measured, "measured"},
                                           {VerdictKind::parked, "parked"},
                                           {VerdictKind::stale, "stale"},
                                           {VerdictKind::implausible, "implausible"},
                                           {VerdictKind::unreadable, "unreadable"}}};

constexpr Words<GuardState, 7> kGuardStates{{{GuardState::guarding, "guarding"},
                                             {GuardState::warning, "warning"},
                                             {GuardState::tripped, "tripped"},
                                             {GuardState::latched, "latched"},
                                             {GuardState::blind, "blind"},
                                             {GuardState::absent, "absent"},
                                             {GuardState::lent, "lent"}}};

}  // namespace

LoadState load_state(std::string_view word) {
  if (word == "error") return LoadState::bad;
  return value_of(kLoadStates, word, LoadState::unknown);
}
ActiveState active_state(std::string_view word) {
  return value_of(kActiveStates, word, ActiveState::unknown);
}
UnitFileState unit_file_state(std::string_view word) {
  return value_of(kUnitFileStates, word, UnitFileState::unknown);
}
RuntimeStatus runtime_status(std::string_view word) {
  return value_of(kRuntimeStatus, word, RuntimeStatus::unknown);
}
std::optional<GuardState> guard_state(std::string_view word) {
  for (const auto& [value, name] : kGuardStates) {
    if (name == word) return value;
  }
  return std::nullopt;
}
std::optional<VerdictKind> verdict_kind(std::string_view word) {
  for (const auto& [value, name] : kVerdicts) {
    if (name == word) return value;
  }
  return std::nullopt;
}

std::string_view to_string(LoadState state) {
  return word_of(kLoadStates, state);
}
std::string_view to_string(ActiveState state) {
  return word_of(kActiveStates, state);
}
std::string_view to_string(UnitFileState state) {
  return word_of(kUnitFileStates, state);
}
std::string_view to_string(RuntimeStatus status) {
  return word_of(kRuntimeStatus, status);
}
std::string_view to_string(StepKind kind) {
  return word_of(kStepKinds, kind);
}
std::string_view to_string(VerdictKind kind) {
  return word_of(kVerdicts, kind);
}
std::string_view to_string(GuardState state) {
  return word_of(kGuardStates, state);
}

std::string_view to_string(Channel channel) {
  return channel == Channel::junction ? "junction" : "memory";
}
std::string_view driver_label(Channel channel) {
  return channel == Channel::junction ? "junction" : "mem";
}
std::string_view to_string(BindStyle style) {
  return style == BindStyle::device ? "dev" : "mount-entry";
}
std::string_view to_string(TripReason reason) {
  return reason == TripReason::over_temperature ? "over-temperature" : "blind";
}

std::string_view to_string(RunState state) {
  switch (state) {
    case RunState::stopped:
      return "stopped";
    case RunState::running:
      return "running";
    case RunState::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::violation:
      return "violation";
    case Severity::warning:
      return "warning";
    case Severity::advice:
      return "advice";
  }
  return "violation";
}

}  // namespace interlock
