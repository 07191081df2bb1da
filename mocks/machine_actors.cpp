// What others do to containers, behind a controller's back (pct.md, section 5).
#include <fmt/format.h>

#include <algorithm>

#include "mocks/machine.h"

namespace interlock::mocks {
namespace {

constexpr Duration kBackup = std::chrono::seconds(30);
constexpr Duration kRestart = std::chrono::milliseconds(700);

}  // namespace

void Machine::reboot_itself(int vmid) {
  kill_container(vmid);
  Event event;
  event.kind = Event::Kind::container_start;
  event.vmid = vmid;
  event.by_proxmox = false;
  later(kRestart, std::move(event));
}

bool Machine::roll_back(int vmid, const std::string& snapshot) {
  const std::string* text = model.config(vmid);
  if (text == nullptr) return false;
  Config config = *parsed(*text);
  const auto found = std::ranges::find(config.snapshots, snapshot, &Section::name);
  if (found == config.snapshots.end()) return false;
  kill_container(vmid);
  Section main = *found;
  main.name.clear();
  main.description = config.main.description;
  main.keys["parent"] = snapshot;
  main.keys.erase("snaptime");
  config.main = std::move(main);
  config.pending = {};
  cancel(Event::Kind::post_stop, vmid, "");  // it runs within the rollback's lock, before the rewrite
  if (Container* container = model.container(vmid)) container->post_stop_due = false;
  store(model.config_path(vmid), print(config), 0640);
  static_cast<void>(regenerate(vmid));  // a failure is the next start's
  return true;
}

void Machine::clone(int vmid, int to) {
  const std::string* text = model.config(vmid);
  const Container* from = model.container(vmid);
  if (text == nullptr || from == nullptr) return;
  Config config = *parsed(*text);
  config.snapshots.clear();
  config.pending = {};
  config.main.keys.erase("parent");
  Container copy = *from;
  copy.vmid = to;
  put_to_rest(copy);
  model.containers.push_back(std::move(copy));
  std::ranges::sort(model.containers, {}, &Container::vmid);
  store(model.config_path(to), print(config), 0640);
}

void Machine::back_up(int vmid) {
  const std::string* text = model.config(vmid);
  const Container* container = model.container(vmid);
  if (text == nullptr || container == nullptr) return;
  const bool was_running = container->running();
  Config config = *parsed(*text);
  config.main.keys["lock"] = "backup";
  store(model.config_path(vmid), print(config), 0640);
  model.locks["/run/vzdump.lock"] = "vzdump";
  if (was_running) kill_container(vmid);
  Event event;
  event.kind = Event::Kind::backup_over;
  event.vmid = vmid;
  event.running = was_running;
  later(kBackup, std::move(event));
}

/// The lock goes first; then the start, without the configuration's lock and whatever onboot says.
void Machine::end_backup(int vmid, bool start) {
  model.locks.erase("/run/vzdump.lock");
  const std::string* text = model.config(vmid);
  if (text == nullptr) return;
  Config config = *parsed(*text);
  config.main.keys.erase("lock");
  store(model.config_path(vmid), print(config), 0640);
  const Container* container = model.container(vmid);
  if (!start || container == nullptr || container->running()) return;
  static_cast<void>(start_container(vmid, true));  // vzdump only logs a failure
}

}  // namespace interlock::mocks
