#include "mocks/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "mocks/fingerprint.h"
#include "mocks/pct.h"

namespace interlock::mocks {

std::optional<Instant> Machine::next_event() const {
  const auto next = std::ranges::min_element(model.events, {}, &Event::at);
  if (next == model.events.end()) return std::nullopt;
  return next->at;
}

void Machine::advance(Instant to) {
  for (;;) {
    const auto next = std::ranges::min_element(model.events, {}, &Event::at);
    if (next == model.events.end() || next->at > to) break;
    const Event event = std::move(*next);
    model.events.erase(next);
    model.now = std::max(model.now, event.at);
    happen(event);
    reap_workers();
    judge_changes();
  }
  model.now = std::max(model.now, to);
}

void Machine::pass(Duration time) {
  if (!in_background) static_cast<void>(wait_until([] { return false; }, time));  // only time is waited for
}

void Machine::later(Duration delay, Event event) {
  event.at = model.now + delay;
  model.events.push_back(std::move(event));
}

void Machine::cancel(Event::Kind kind, int vmid, const std::string& subject) {
  std::erase_if(model.events, [&](const Event& event) {
    return event.kind == kind && event.vmid == vmid && event.subject == subject;
  });
}

void Machine::store(const std::string& path, std::string text, unsigned mode) {
  const auto found = model.files.find(path);
  if (path.starts_with("/etc/pve/")) {
    ++model.pve_version;
    std::optional<std::string> before;
    if (found != model.files.end()) before = found->second.text;
    model.unsynced.push_back({path, std::move(before)});
  }
  File& file = found == model.files.end() ? model.files[path] : found->second;
  file = {std::move(text), mode, model.next_version++};
}

void Machine::erase(const std::string& path) {
  const auto found = model.files.find(path);
  if (found == model.files.end()) return;
  if (path.starts_with("/etc/pve/")) {
    ++model.pve_version;
    model.unsynced.push_back({path, found->second.text});
  }
  model.files.erase(found);
}

void Machine::take_back_later(const std::string& path, const std::optional<Model>& before) {
  if (!before) return;
  const auto old = before->files.find(path);
  Event event;
  event.kind = Event::Kind::file_back;
  event.subject = path;
  event.running = old != before->files.end();
  if (event.running) event.text = old->second.text;
  later(std::chrono::seconds(1), std::move(event));
}

void Machine::judge() {
  claimed_ = 0;
  judge_changes();
}

/// Which claims there are: where and whether each card has nodes, and what was written below /etc/pve.
std::uint64_t Machine::claims_key() const {
  Hasher key;
  key.add(model.pve_version);
  for (const Card& card : model.cards) {
    const std::uint64_t flags = (card.present ? 1U : 0U) | (card.by_path ? 2U : 0U);
    key.add(static_cast<std::uint64_t>(card.card)).add(static_cast<std::uint64_t>(card.render));
    key.add(flags).add(card.driver);
  }
  return key.add(model.containers.size()).value();
}

void Machine::judge_changes() {
  if (const std::uint64_t key = claims_key(); key != claimed_) {
    claims_ = claims_of(model);
    claimed_ = key;
  }
  checks += 2 * (model.cards.size() + model.containers.size());  // now, and at the boot that could follow
  std::set<std::string> standing;
  for (Breach& breach : breaches_now(model, claims_)) {
    const std::string key = fmt::format("{} {}: {}", breach.invariant, breach.when, breach.text);
    if (!model.breached.contains(key)) model.breaches.push_back(std::move(breach));
    standing.insert(key);
  }
  model.breached = std::move(standing);
}

void Machine::run_pct(const std::vector<std::string>& words) {
  const bool before = std::exchange(in_background, true);
  try {
    static_cast<void>(pct(*this, words));  // what it says goes to nobody
  } catch (const CommandTimedOut&) {
    orphan_workers();
  }
  in_background = before;
}

void Machine::happen(const Event& event) {
  switch (event.kind) {
    case Event::Kind::guest_up:
      return guest_is_up(event.vmid);
    case Event::Kind::post_stop:
      return run_post_stop(event);
    case Event::Kind::container_stop:
    case Event::Kind::shut_down:
      return kill_container(event.vmid);
    case Event::Kind::container_start:
      if (const Container* container = model.container(event.vmid);
          container != nullptr && !container->running()) {
        static_cast<void>(
            start_container(event.vmid, event.by_proxmox));  // HA and the like only log a failure
      }
      return;
    case Event::Kind::memory_returned:
      if (Card* card = model.card(event.subject)) card->leftover -= std::min(card->leftover, event.bytes);
      return;
    case Event::Kind::backup_over:
      return end_backup(event.vmid, event.running);
    case Event::Kind::file_back:
      if (event.running) return store(event.subject, event.text);
      return erase(event.subject);
    case Event::Kind::pct:
      return run_pct(event.words);
    case Event::Kind::undo:
      return undo(event);
    default:
      return happen_to_unit(event);
  }
}

/// What a command did is taken back by somebody else: a hook script, a trigger, HA.
void Machine::undo(const Event& event) {
  Container* container = model.container(event.vmid);
  if (container == nullptr) return;
  if (const std::string* text = model.config(event.vmid); text != nullptr && *text != event.text) {
    store(model.config_path(event.vmid), event.text);
  }
  if (container->running() != event.running) {
    if (event.running) {
      static_cast<void>(start_container(event.vmid, true));  // whether that works is not its business
    } else {
      kill_container(event.vmid);
    }
  }
  for (const Unit& before : event.units) {
    Unit* now = find_unit(container->units, before.name);
    if (now == nullptr) continue;
    now->file = before.file;
    const auto live = [](const Unit& it) { return it.active != "inactive" && it.active != "failed"; };
    if (!container->running() || live(before) == live(*now)) continue;
    if (live(before)) {
      start_unit(event.vmid, *now);
    } else {
      stop_unit(event.vmid, *now);
    }
  }
}

int Machine::begin_worker(int vmid, const std::string& type) {
  const std::string title =
      fmt::format("task UPID:{}:{:08X}:{:08X}:{:08X}:{}:{}:root@pam:", model.node, model.next_pid,
                  to_ns(model.now) / 10'000'000, model.booted_at, type, vmid);
  const int pid = spawn(title.substr(0, 15), title, "/system.slice/pvedaemon.service").pid;
  model.workers.push_back({vmid, pid, type});
  return pid;
}

void Machine::end_worker(int pid) {
  std::erase_if(model.workers, [&](const Worker& worker) { return worker.pid == pid; });
  std::erase_if(model.processes, [&](const Process& process) { return process.pid == pid; });
}

void Machine::orphan_workers() {
  for (Worker& worker : model.workers) worker.orphaned = true;
  reap_workers();
}

void Machine::reap_workers() {
  std::erase_if(model.workers, [&](const Worker& worker) {
    if (!worker.orphaned) return false;
    const Container* container = model.container(worker.vmid);
    const bool starts = worker.type == "vzstart";
    const bool over = container == nullptr || (starts ? container->running() : fully_stopped(worker.vmid));
    if (!over) return false;
    std::erase_if(model.processes, [&](const Process& process) { return process.pid == worker.pid; });
    release_lock(lock_path(worker.vmid));
    return true;
  });
}

}  // namespace interlock::mocks
