// A Proxmox host as plain values: cheap to copy, nothing hidden. What a program could read of it is computed
// on demand (view.h); how it changes is in machine.h. This model knows nothing of the product that it is made
// to test.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "base/units.h"

namespace interlock::mocks {

/// How a unit, or a process, takes a request to stop.
enum class Stop : std::uint8_t {
  obeys,
  ignores_term,   // until systemd's own limit, then SIGKILL (U09)
  leaves_worker,  // the server goes, a worker stays in the unit's cgroup with the card (S01, S02)
  never_answers,  // it stops, but `systemctl stop` does not return (U08)
  unkillable,     // in an uninterruptible sleep: nothing ends it
};

enum class Restart : std::uint8_t { no, on_failure, always };

/// A systemd unit, in a container or on the host. States are systemd's own words.
struct Unit {
  std::string name;
  std::string load = "loaded";
  std::string file = "disabled";
  std::string active = "inactive";
  std::string sub = "dead";
  Restart restart = Restart::on_failure;
  Duration restart_sec = std::chrono::seconds(15);
  Duration stop_limit = std::chrono::seconds(90);  // TimeoutStopSec
  std::uint32_t restarts = 0;
  std::vector<std::string> wanted_by = {"multi-user.target"};  // empty: no [Install]
  std::vector<std::string> triggered_by;
  std::vector<std::string> triggers;
  std::vector<std::string> conflicts;
  Stop stop = Stop::obeys;
  int cards = 0;                         // how many it needs; it opens every one that it can see
  Bytes memory = 0;                      // on each card that it works on, once loaded
  Duration load_time{};                  // from its start until the memory is taken and it answers
  std::optional<Duration> dies_after;    // crashes so long after each start
  bool cpu_fallback = false;             // runs on, healthy, without a card (S10)
  bool stays_activating = false;         // Type=forking that never says it is up (U10)
  int port = 0;                          // answers /health there; 0: none
  std::string command = "llama-server";  // comm of its process
  std::string worker_place;  // a worker of its own does the work there: "/system.slice/docker-1f.scope" (S04)
  Instant started{};
  bool loaded = false;
  bool declared = true;  // counts for I2 when it needs cards
};

struct Answer {
  int code = 0;
  std::string output;
  std::string errors;
};

struct Container {
  enum class State : std::uint8_t { stopped, running, stopping };
  int vmid = 0;
  State state = State::stopped;
  bool post_stop_due = false;  // the socket is gone, the post-stop hook has not run yet
  std::vector<Unit> units;
  std::set<std::string> live;  // PCI addresses whose nodes its processes can see and use, since its start
  std::map<std::string, std::string> files;  // inside it
  std::map<std::string, Answer> commands;    // by joined argv
  bool obeys_shutdown = true;
  bool starts = true;  // false: the start fails
  bool running() const { return state != State::stopped; }
};

/// A card that a process has open.
struct Open {
  std::string pci;
  std::uint64_t client = 0;     // drm-client-id
  Bytes memory = 0;             // drm-memory-vram
  std::uint64_t engine_ns = 0;  // as of engine_at
  Instant engine_at{};
  int busy_percent = 0;  // how fast engine time grows
  Bytes kfd_memory = 0;
  bool kfd_queue = false;
};

struct Process {
  int pid = 0;
  std::uint64_t started = 0;  // ticks since boot
  std::string comm;
  std::string cmdline;  // NULs between arguments
  std::string cgroup;   // "/lxc/120/ns/system.slice/llamacpp.service"
  std::vector<Open> opens;
  bool ignores_term = false;
  bool unkillable = false;
  bool unreadable = false;  // its descriptors may not be looked at (EACCES)
};

struct Card {
  std::string id;  // what the tool calls it
  std::string pci;
  std::string unique_id;
  int card = 0;      // /dev/dri/card<N>
  int render = 128;  // /dev/dri/renderD<N>
  int hwmon = 0;
  bool present = true;
  bool off_the_bus = false;  // its config reads ffff
  std::string driver = "amdgpu";
  std::string runtime = "active";  // power/runtime_status
  std::string power_control = "on";
  std::int64_t edge = 41000;  // millidegrees, as of `since`
  std::int64_t junction = 45000;
  std::int64_t memory_temp = 44000;
  std::int64_t heating = 0;  // millidegrees a second while something works on it
  std::int64_t cooling = 0;  // millidegrees a second otherwise, down to 40000
  Instant since{};
  Bytes vram_total = 32752 * kMiB;
  Bytes vram_base = 24 * kMiB;  // in use with no process
  Bytes leftover = 0;           // of processes that ended, not yet given back
  Duration lingers{};           // for how long (S09)
  bool energy_counter = true;
  bool energy_stuck = false;
  bool by_path = true;  // udev made its links
};

struct File {
  std::string text;
  unsigned mode = 0644;
  std::uint64_t version = 0;  // inode number, new with each replacement
};

/// A file that does not give what it should: an errno, or another text.
struct Override {
  int error = 0;
  std::string text;
  bool hangs = false;
};

/// Something that happens later.
struct Event {
  enum class Kind : std::uint8_t {
    unit_start,
    unit_loaded,
    unit_dies,
    unit_stopped,
    unit_stop_limit,
    guest_up,
    post_stop,
    shut_down,
    container_start,
    container_stop,
    memory_returned,
    pct,
    undo,
    file_back,
    backup_over
  };
  Instant at{};
  Kind kind = Kind::unit_start;
  int vmid = 0;
  std::string subject;             // unit, or PCI address
  std::vector<std::string> words;  // pct: its arguments
  bool by_proxmox = true;          // container_start: or by systemd, which uses what was generated before
  std::string text;                // post_stop: the configuration as the hook read it; undo: as it was
  std::vector<Unit> units;         // undo
  bool running = false;            // undo; file_back: the file was there
  Bytes bytes = 0;                 // memory_returned
};

/// One write below /etc/pve that a power cut may still lose: what stood there before.
struct PveWrite {
  std::string path;
  std::optional<std::string> before;
};

struct PctCall {
  int number = 0;
  std::string text;  // "set 120 --cores 48"
  int code = 0;
  std::string errors;
  std::string fault;
};

/// A broken invariant, found by the mock itself.
struct Breach {
  int operation = 0;
  std::string invariant;  // "I1", "I2"
  std::string when;       // "now", "at the next boot"
  std::string text;
  std::vector<int> containers = {};  // whom it is about
  bool held = false;                 // I1: two of them run and have the card, at this moment
};

/// A Proxmox task at work (pct.md, 1.0): holds its container's lock.
struct Worker {
  int vmid = 0;
  int pid = 0;
  std::string type;       // "vzstop"
  bool orphaned = false;  // the pct that waited for it was killed
};

/// How long things take.
struct Pace {
  Duration pct = std::chrono::milliseconds(800);
  Duration container_start = std::chrono::seconds(3);
  Duration container_stop = std::chrono::seconds(2);
  Duration post_stop = std::chrono::milliseconds(300);
  Duration guest_up = std::chrono::seconds(1);
  Duration unit_stop = std::chrono::milliseconds(400);
};

struct Model {
  Instant now = instant_from_ns(3'600'000'000'000);
  std::int64_t booted_at = 1'796'000'000;  // wall clock of instant 0, for people
  std::string node = "pve";
  std::string boot_id = "6f1c5a52-0000-4000-8000-000000000001";
  int boots = 1;
  int proxmox = 9;
  bool pve_mounted = true;
  bool quorate = true;
  bool powered_off = false;  // somebody asked for it: systemctl poweroff
  bool disk_full = false;    // nothing can be written below /var/lib
  std::vector<Card> cards;
  std::vector<Container> containers;  // by VMID
  std::vector<Unit> host_units;
  std::vector<Process> processes;     // by PID
  std::map<std::string, File> files;  // what is stored: /etc, /var, /run
  std::set<std::string> folders;      // made on purpose
  std::map<std::string, std::string> links;
  std::map<std::string, Override> overrides;    // by path without links
  std::map<std::string, Answer> host_commands;  // by program; what they were given is in `calls`
  std::set<std::string> frozen;                 // cgroups
  std::map<std::string, std::string> locks;     // by path: who holds it
  std::vector<Worker> workers;
  std::vector<Event> events;
  std::vector<PveWrite> unsynced;  // oldest first, since the last barrier
  std::vector<PctCall> calls;
  std::map<int, std::string> faults;  // folder: by number of the pct call, what shall go wrong
  std::vector<Breach> breaches;
  std::set<std::string> breached;  // those that stand now
  bool shared_cards = false;       // I1 is lifted (a policy with `shared: true`)
  bool kfd = false;                // there is a /sys/class/kfd
  int operations = 0;
  int next_pid = 4000;
  std::uint64_t next_client = 100;
  std::uint64_t next_version = 1;
  std::uint64_t pve_version = 0;  // counts what was written below /etc/pve
  Pace pace;

  Container* container(int vmid);
  const Container* container(int vmid) const;
  Card* card(std::string_view id_or_pci);
  const Card* card(std::string_view id_or_pci) const;
  Process* process(int pid);
  const Process* process(int pid) const;
  std::string config_path(int vmid) const;  // without links: "/etc/pve/nodes/pve/lxc/120.conf"
  const std::string* config(int vmid) const;
};

Unit* find_unit(std::vector<Unit>& units, std::string_view name);
const Unit* find_unit(const std::vector<Unit>& units, std::string_view name);
std::string generated_path(int vmid);
std::string lock_path(int vmid);
/// The container that a cgroup belongs to: 120 of "/lxc/120/ns"; nothing: the host.
std::optional<int> container_of(std::string_view cgroup);
/// `cgroup` is `top` or below it.
bool below(std::string_view cgroup, std::string_view top);
std::string unit_cgroup(int vmid, std::string_view unit);
/// One of the process's cgroups is frozen.
bool is_frozen(const Model& model, std::string_view cgroup);
std::uint64_t engine_ns(const Model& model, const Process& process, const Open& open);
/// Something works on the card now.
bool is_worked_on(const Model& model, const Card& card);
Bytes memory_used(const Model& model, const Card& card);

/// What `edge`, `junction` and `memory_temp` have become since `since`.
struct Temperatures {
  std::int64_t edge = 0;
  std::int64_t junction = 0;
  std::int64_t memory = 0;
};
Temperatures temperatures(const Model& model, const Card& card);

}  // namespace interlock::mocks
