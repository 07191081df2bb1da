#include "choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "mocks/config.h"
#include "mocks/machine.h"

namespace interlock::explore {
namespace {

using mocks::Fault;
using mocks::MockHost;
using mocks::Model;
using mocks::Operation;
using mocks::OperationKind;
using Kind = Fault::Kind;

constexpr std::array<std::pair<Actor, std::string_view>, 10> kActors = {{{Actor::start, "start"},
                                                                         {Actor::stop, "stop"},
                                                                         {Actor::put_back, "put-back"},
                                                                         {Actor::tag, "tag"},
                                                                         {Actor::reboot, "reboot"},
                                                                         {Actor::ha, "ha"},
                                                                         {Actor::backup, "backup"},
                                                                         {Actor::roll_back, "roll-back"},
                                                                         {Actor::clone, "clone"},
                                                                         {Actor::second, "second"}}};
constexpr std::array kGuests = {120, 123};
constexpr int kClone = 124;
constexpr int kMostLost = 3;

std::string_view word_of(Actor actor) {
  return std::ranges::find(kActors, actor, &std::pair<Actor, std::string_view>::first)->second;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> found;
  for (const std::string_view word : words(text)) found.emplace_back(word);
  return found;
}

/// Without the program.
std::vector<std::string> arguments(const Operation& operation) {
  auto found = words_of(operation.text);
  found.erase(found.begin());
  return found;
}

Choice fault(const Operation& operation, Kind kind, int lost = 0, bool renumber = false) {
  Choice choice;
  choice.operation = operation.index;
  choice.fault = Fault{kind, lost, renumber};
  choice.of_read = !operation.mutating;
  return choice;
}

bool is_pct(const Operation& operation) {
  return operation.text.starts_with("pct ");
}

bool has_no_effect(const Operation& operation, const Model& model) {
  return operation.kind == OperationKind::make_folder && model.folders.contains(operation.text);
}

std::vector<Kind> kinds_of_change(const Operation& operation, const Model& model) {
  switch (operation.kind) {
    case OperationKind::run: {
      std::vector<Kind> kinds{Kind::fail, Kind::fail_after, Kind::no_effect, Kind::hang, Kind::hang_after};
      const auto words = arguments(operation);
      if (mocks::half_of(words)) kinds.insert(kinds.end(), {Kind::half, Kind::killed_half});
      if (is_pct(operation)) kinds.push_back(Kind::hang_late);
      if (mocks::undo_event(model, words)) kinds.push_back(Kind::undone_later);
      return kinds;
    }
    case OperationKind::append_file:
    case OperationKind::replace_file:
      return {Kind::fail, Kind::fail_after,  Kind::no_effect,   Kind::half,
              Kind::hang, Kind::killed_half, Kind::undone_later};
    case OperationKind::lock:
      return {Kind::fail};
    default:
      // On a disk that lies about its barrier nothing can be proven to have survived a power cut.
      if (operation.kind == OperationKind::sync_file) return {Kind::fail, Kind::fail_after};
      // Without an effect to have, done without it is done, and an error after it is an error.
      if (has_no_effect(operation, model)) return {Kind::fail};
      return {Kind::fail, Kind::fail_after, Kind::no_effect};
  }
}

std::vector<Choice> stops_at(const Operation& operation, const Model& model) {
  std::vector<Choice> found{fault(operation, Kind::killed), fault(operation, Kind::killed_after),
                            fault(operation, Kind::power_cut), fault(operation, Kind::power_cut, 0, true)};
  const int unsynced =
      static_cast<int>(model.unsynced.size()) + (operation.kind == OperationKind::run ? 2 : 0);
  for (int lost = 0; lost <= std::min(kMostLost, unsynced); ++lost) {
    found.push_back(fault(operation, Kind::power_cut_after, lost));
  }
  return found;
}

bool runs(const Model& model, int vmid) {
  const mocks::Container* container = model.container(vmid);
  return container != nullptr && container->running();
}

void edit(MockHost& host, int vmid, const std::function<void(mocks::Config&)>& change) {
  const std::string* text = host.model().config(vmid);
  if (text == nullptr) return;
  mocks::Config config = mocks::parse(*text);
  change(config);
  host.machine().store(host.model().config_path(vmid), print(config), 0640);
}

void give_to_ha(MockHost& host, int vmid) {
  host.machine().store("/etc/pve/ha/resources.cfg", fmt::format("ct: {}\n\tstate started\n", vmid), 0640);
  if (runs(host.model(), vmid)) return;
  mocks::Event event;
  event.kind = mocks::Event::Kind::container_start;
  event.vmid = vmid;
  host.machine().later(std::chrono::seconds(10), std::move(event));
}

}  // namespace

std::string Choice::text() const {
  switch (what) {
    case What::forward:
      return fmt::format("{}:forward", operation);
    case What::actor:
      return fmt::format("{}:{}-{}", operation, word_of(actor), vmid);
    case What::fault:
      break;
  }
  std::string shown = fmt::format("{}:{}", operation, mocks::to_string(fault.kind));
  if (fault.lost_writes > 0) shown += fmt::format("-{}", fault.lost_writes);
  if (fault.renumber) shown += "-renumber";
  return shown;
}

std::optional<Choice> Choice::parse(std::string_view text) {
  const auto colon = text.find(':');
  const auto index = parse_number<int>(text.substr(0, colon));
  if (colon == std::string_view::npos || !index) return std::nullopt;
  Choice choice;
  choice.operation = *index;
  if (!choice.take_word(text.substr(colon + 1))) return std::nullopt;
  return choice;
}

bool Choice::take_word(std::string_view word) {
  if (word == "forward") {
    what = What::forward;
    return true;
  }
  if (const auto dash = word.rfind('-'); dash != std::string_view::npos) {
    const auto number = parse_number<int>(word.substr(dash + 1));
    for (const auto& [known, name] : kActors) {
      if (!number || word.substr(0, dash) != name) continue;
      what = What::actor;
      actor = known;
      vmid = *number;
      return true;
    }
    if (number) {
      fault.lost_writes = *number;
      word = word.substr(0, dash);
    }
  }
  if (word.ends_with("-renumber")) {
    fault.renumber = true;
    word.remove_suffix(std::string_view("-renumber").size());
  }
  const auto kind = mocks::fault_kind(word);
  if (kind) fault.kind = *kind;
  return kind.has_value();
}

std::string Trace::text() const {
  std::vector<std::string> pieces;
  for (const Choice& choice : choices) pieces.push_back(choice.text());
  return fmt::format("{} {}", cutover, joined(pieces, ","));
}

std::optional<Trace> Trace::parse(std::string_view text) {
  const auto pieces = words(text);
  if (pieces.empty() || pieces.size() > 2) return std::nullopt;
  Trace trace{std::string(pieces[0]), {}};
  if (pieces.size() == 1) return trace;
  for (const std::string_view piece : split(pieces[1], ',')) {
    const auto choice = Choice::parse(piece);
    if (!choice) return std::nullopt;
    trace.choices.push_back(*choice);
  }
  return trace;
}

std::vector<Choice> faults_of(const Operation& operation, const Model& model) {
  std::vector<Choice> found;
  if (operation.kind == OperationKind::wait) return found;
  if (!operation.mutating) {
    found = {fault(operation, Kind::fail), fault(operation, Kind::garbage), fault(operation, Kind::hang)};
    if (operation.kind == OperationKind::run) found.push_back(fault(operation, Kind::no_effect));
    found.push_back(fault(operation, Kind::old));
    return found;
  }
  for (const Kind kind : kinds_of_change(operation, model)) found.push_back(fault(operation, kind));
  for (Choice& stop : stops_at(operation, model)) found.push_back(std::move(stop));
  return found;
}

std::vector<Choice> actors_at(const Operation& operation, const Model& model, bool looks) {
  std::vector<Choice> found;
  const bool at = (operation.kind == OperationKind::run && (operation.mutating || looks)) ||
                  (operation.kind == OperationKind::replace_file && operation.text.starts_with("/etc/pve/"));
  if (!at) return found;
  const auto add = [&](Actor actor, int vmid) {
    Choice choice;
    choice.operation = operation.index;
    choice.what = Choice::What::actor;
    choice.actor = actor;
    choice.vmid = vmid;
    found.push_back(choice);
  };
  for (const int vmid : kGuests) {
    add(runs(model, vmid) ? Actor::stop : Actor::start, vmid);
    if (runs(model, vmid)) add(Actor::reboot, vmid);
    if (!model.locks.contains("/run/vzdump.lock") && runs(model, vmid)) add(Actor::backup, vmid);
    add(Actor::put_back, vmid);
    add(Actor::tag, vmid);
    add(Actor::ha, vmid);
  }
  add(Actor::roll_back, 123);
  if (model.container(kClone) == nullptr) add(Actor::clone, 123);
  add(Actor::second, 0);
  return found;
}

void act(MockHost& host, const Choice& choice, const Model& beginning) {
  const std::string vmid = std::to_string(choice.vmid);
  switch (choice.actor) {
    case Actor::start:
      return host.machine().run_pct({"start", vmid});
    case Actor::stop:
      return host.machine().run_pct({"stop", vmid});
    case Actor::put_back:
      return host.machine().store(host.model().config_path(choice.vmid), *beginning.config(choice.vmid),
                                  0640);
    case Actor::tag:
      return edit(host, choice.vmid, [](mocks::Config& config) { config.main.keys["tags"] = "by-hand"; });
    case Actor::reboot:
      return host.machine().reboot_itself(choice.vmid);
    case Actor::ha:
      return give_to_ha(host, choice.vmid);
    case Actor::backup:
      return host.machine().back_up(choice.vmid);
    case Actor::roll_back:
      host.machine().roll_back(choice.vmid, "before-upgrade");
      return;
    case Actor::clone:
      return host.machine().clone(choice.vmid, kClone);
    case Actor::second:
      return;  // it needs the product: play.cpp
  }
}

}  // namespace interlock::explore
