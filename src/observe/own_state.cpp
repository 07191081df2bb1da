#include "observe/own_state.h"

#include <ranges>

#include "host/paths.h"
#include "model/journal_text.h"
#include "model/ledger_text.h"
#include "model/state_text.h"
#include "observe/untold.h"

namespace interlock::observe {
namespace {

constexpr std::string_view kJournalSuffix = ".journal";

Latch damaged_latch(const std::string& why) {
  return {.reason = TripReason::blind, .why = why, .tripped = {}, .damaged = true};
}

/// Names in a folder of ours that need not be there yet.
Result<std::vector<std::string>> own_files(Host& host, const std::string& folder) {
  auto names = host.list_folder(folder);
  if (!names && is_missing(names.error())) return std::vector<std::string>();
  return names;
}

Truth ask_lock(Host& host, const char* path, const char* question, HostState& state) {
  const auto locked = host.is_locked(path);
  if (locked) return truth(*locked);
  state.cannot_tell.push_back(untold(question, locked.error().message));
  return Truth::unknown;
}

}  // namespace

void read_ledger(Host& host, HostState& state) {
  const auto text = host.read_file(paths::kLedger);
  if (!text && is_missing(text.error())) {
    state.ledger = Ledger{};
    return;
  }
  auto ledger = text ? parse_ledger(*text) : std::unexpected(text.error());
  if (ledger) {
    state.ledger = *std::move(ledger);
  } else {
    state.ledger_error = fmt::format("{}: {}", paths::kLedger, ledger.error().message);
  }
}

void read_latches(Host& host, const Policy& policy, HostState& state) {
  const auto names = own_files(host, paths::kLatches);
  if (!names) {
    for (const PolicyCard& card : policy.cards)
      state.latches[card.pci] = damaged_latch(names.error().message);
    return;
  }
  for (const std::string& name : *names) {
    const auto pci = PciAddress::parse(name);
    if (!pci || pci->text() != name) continue;  // the rest of a replacement that a power cut ended
    const auto text = host.read_file(paths::latch(*pci));
    if (text) {
      state.latches[*pci] = parse_latch(*text);
    } else if (!is_missing(text.error())) {
      state.latches[*pci] = damaged_latch(text.error().message);
    }
  }
}

void read_guard(Host& host, HostState& state) {
  const Truth running = ask_lock(host, paths::kGuardLock, "whether the guard runs", state);
  const auto text = host.read_file(paths::kGuardReport);
  if (text) {
    auto report = parse_guard(*text, state.boot_id);
    if (report) {
      state.guard = *std::move(report);
    } else if (running != Truth::no) {  // a report of an earlier boot is nothing to wonder at
      state.cannot_tell.push_back(
          untold("what the guard sees", fmt::format("{}: {}", paths::kGuardReport, report.error().message)));
    }
  } else if (!is_missing(text.error())) {
    state.cannot_tell.push_back(untold("what the guard sees", text.error().message));
  }
  state.guard.running = running;
  const auto& judged_at = state.guard.judged_at;
  state.guard.fresh = running == Truth::yes && judged_at && state.taken_at - *judged_at <= kGuardPatience;
}

void read_open_cutover(Host& host, HostState& state) {
  const auto names = own_files(host, paths::kCutovers);
  if (!names) {
    state.cannot_tell.push_back(untold("whether a cutover is open", names.error().message));
    return;
  }
  for (const std::string& name : std::views::reverse(*names)) {  // their ids begin with their time
    if (!name.ends_with(kJournalSuffix)) continue;
    const std::string id = name.substr(0, name.size() - kJournalSuffix.size());
    const auto text = host.read_file(fmt::format("{}/{}", paths::kCutovers, name));
    if (text && journal_has_ended(*text)) continue;
    if (!text)
      state.cannot_tell.push_back(untold(fmt::format("how cutover {} went", id), text.error().message));
    OpenCutover open{.id = id, .name = cutover_in_id(id), .state = {}};
    open.attended =
        ask_lock(host, paths::kCutoverLock, "whether somebody is at the open cutover", state) != Truth::no;
    open.state = open.attended ? "running" : "interrupted";
    state.cutover = std::move(open);
    return;
  }
}

}  // namespace interlock::observe
