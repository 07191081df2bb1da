#include "mocks/fault.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace interlock::mocks {
namespace {

constexpr std::array<std::pair<Fault::Kind, std::string_view>, 16> kKinds = {
    {{Fault::Kind::none, "none"},
     {Fault::Kind::fail, "fail"},
     {Fault::Kind::fail_after, "fail-after"},
     {Fault::Kind::no_effect, "no-effect"},
     {Fault::Kind::half, "half"},
     {Fault::Kind::hang, "hang"},
     {Fault::Kind::hang_after, "hang-after"},
     {Fault::Kind::hang_late, "hang-late"},
     {Fault::Kind::undone_later, "undone-later"},
     {Fault::Kind::garbage, "garbage"},
     {Fault::Kind::old, "old"},
     {Fault::Kind::killed, "killed"},
     {Fault::Kind::killed_half, "killed-half"},
     {Fault::Kind::killed_after, "killed-after"},
     {Fault::Kind::power_cut, "power-cut"},
     {Fault::Kind::power_cut_after, "power-cut-after"}}};

}  // namespace

std::string_view to_string(Fault::Kind kind) {
  const auto found = std::ranges::find(kKinds, kind, &std::pair<Fault::Kind, std::string_view>::first);
  return found == kKinds.end() ? "?" : found->second;
}

std::optional<Fault::Kind> fault_kind(std::string_view word) {
  const auto found = std::ranges::find(kKinds, word, &std::pair<Fault::Kind, std::string_view>::second);
  if (found == kKinds.end()) return std::nullopt;
  return found->first;
}

std::optional<std::vector<std::string>> half_of(std::vector<std::string> words) {
  if (const auto now = std::ranges::find(words, "--now"); now != words.end()) {
    words.erase(now);
    return words;
  }
  constexpr std::size_t kOneOption = 4;  // set 120 --cores 48
  if (words.empty() || words.front() != "set" || words.size() <= kOneOption) return std::nullopt;
  words.resize(words.size() - 2);
  return words;
}

std::optional<Event> undo_event(const Model& model, const std::vector<std::string>& words) {
  const auto vmid = words.size() < 2 ? std::nullopt : parse_number<int>(words[1]);
  const Container* container = vmid ? model.container(*vmid) : nullptr;
  const std::string* config = vmid ? model.config(*vmid) : nullptr;
  if (container == nullptr || config == nullptr) return std::nullopt;
  Event event;
  event.kind = Event::Kind::undo;
  event.vmid = *vmid;
  event.text = *config;
  event.units = container->units;
  event.running = container->running();
  return event;
}

}  // namespace interlock::mocks
