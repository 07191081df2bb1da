// The model in motion: containers start and stop, units restart, processes die, the host loses power and
// boots. Each change is judged against the invariants at once, and what breaks them is remembered in
// Model::breaches.
//
// One machine is in memory (mock_host.h), where waiting costs nothing; the other keeps its model in a folder
// (folder.h), where time is real. What differs between them is virtual.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mocks/config.h"
#include "mocks/grants.h"
#include "mocks/model.h"

namespace interlock::mocks {

/// Thrown out of a wait when whoever waits was killed at its deadline. What it began goes on.
struct CommandTimedOut {};

struct BootOptions {
  int lost_writes = 0;    // of the last ones below /etc/pve; those before a barrier are safe
  bool renumber = false;  // the cards' node and hwmon numbers change places
};

/// As one is that was not started yet: nothing runs in it, and what its /run held is gone.
void put_to_rest(Container& container);

class Machine {
 public:
  explicit Machine(Model start) : model(std::move(start)) {}
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  Model model;
  bool in_background = false;  // nobody waits for what is done now
  std::uint64_t checks = 0;    // one for each card, container and instant that was judged

  // Time (machine.cpp).
  /// Lets everything happen that is due until then.
  void advance(Instant to);
  /// Waits for `done`, no longer than `limit`; whether it came true. Time passes.
  virtual bool wait_until(const std::function<bool()>& done, Duration limit) = 0;
  void pass(Duration time);
  void later(Duration delay, Event event);
  void cancel(Event::Kind kind, int vmid, const std::string& subject);

  // What differs.
  /// Why the start gate refuses this container; nothing: it does not, or there is none.
  virtual std::optional<std::string> gate_refusal(int vmid) = 0;
  /// The lock of a container's configuration, as a worker takes it. Both may let time pass.
  virtual bool take_lock(const std::string& path, Duration patience) = 0;
  virtual void release_lock(const std::string& path) = 0;
  /// A file of the host, for `pct push`.
  virtual std::optional<std::string> host_file(const std::string& path) = 0;
  /// Runs after the kernel is up and before any guest starts.
  virtual void before_guests() {}

  // Files (machine.cpp).
  void store(const std::string& path, std::string text, unsigned mode = 0644);
  void erase(const std::string& path);
  /// A second later somebody puts back what stood there before.
  void take_back_later(const std::string& path, const std::optional<Model>& before);
  /// Everything below /etc/pve is on disk now.
  void barrier() { model.unsynced.clear(); }
  /// Looks for broken invariants.
  void judge();
  /// The same after every change by this machine: what configurations give is worked out anew only where one
  /// was written since.
  void judge_changes();

  // Containers (machine_containers.cpp).
  /// Nothing: it runs. Else why not. `by_proxmox`: pending settings are applied and its LXC configuration is
  /// made anew first; systemctl, lxc-start and lxc-autostart use the old one.
  std::optional<std::string> start_container(int vmid, bool by_proxmox);
  void kill_container(int vmid);       // lxc-stop --kill
  void shut_down_container(int vmid);  // asks; it may take its time, or not obey
  bool fully_stopped(int vmid) const;  // the post-stop hook has run as well
  /// Writes /var/lib/lxc/N/config. Nothing: done. Else why not ("Device X does not exist").
  std::optional<std::string> regenerate(int vmid);
  void power_off(const BootOptions& options);
  void boot(const BootOptions& options = {});
  void start_guests();

  // What other actors do to containers (machine_actors.cpp).
  void reboot_itself(int vmid);  // from inside: stopped for a moment, and back by systemd
  /// Hard stop, and the main section is the snapshot's again; false: there is no such snapshot.
  bool roll_back(int vmid, const std::string& snapshot);
  void clone(int vmid, int to);  // configuration and all
  void back_up(int vmid);  // vzdump in stop mode: locked and stopped, and after half a minute started again

  // Units (machine_units.cpp). `vmid` 0: the host's own.
  Unit* unit(int vmid, std::string_view name);
  void start_unit(int vmid, Unit& unit);
  void stop_unit(int vmid, Unit& unit);
  void enable_unit(Unit& unit);
  void disable_unit(Unit& unit);

  // Processes and the kernel (machine_kernel.cpp).
  Process& spawn(std::string comm, std::string cmdline, std::string cgroup);
  /// A process started by hand (`pct exec 120 -- llama-bench`), with every card that its container can see.
  /// `place`: another cgroup of the container, below its inner one ("/user.slice/user-1000.slice/...", S05).
  Process& run_by_hand(int vmid, const std::string& comm, Bytes memory, int busy_percent,
                       const std::string& place = "/.lxc");
  void kill_process(int pid, int signal);
  void kill_cgroup(const std::string& cgroup);
  void freeze_cgroup(const std::string& cgroup, bool frozen);
  bool cgroup_exists(const std::string& cgroup) const;

  // Proxmox's tasks.
  int begin_worker(int vmid, const std::string& type);  // its PID
  void end_worker(int pid);
  /// Whoever waited for them is gone; they go on with what they began, and hold their locks until it is done.
  void orphan_workers();
  void reap_workers();

  /// A pct command of another actor, or of an orphaned worker: it takes no time, and what would take some
  /// goes on without it.
  void run_pct(const std::vector<std::string>& words);

 protected:
  /// The next instant at which something is due; nothing: never.
  std::optional<Instant> next_event() const;

 private:
  std::uint64_t claims_key() const;
  void happen(const Event& event);
  void happen_to_unit(const Event& event);
  void undo(const Event& event);
  void unit_ended(int vmid, Unit& unit, bool clean);
  void remove_processes(const std::function<bool(const Process&)>& which);
  void load_changes();
  void finish_stop(int vmid);
  void run_post_stop(const Event& event);
  void end_backup(int vmid, bool start);
  void guest_is_up(int vmid);
  void renumber_cards();

  std::vector<Claim> claims_;
  std::uint64_t claimed_ = 0;  // claims_key() of them
};

}  // namespace interlock::mocks
