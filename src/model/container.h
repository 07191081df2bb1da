// An LXC guest: what its configuration says, and what runs of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/identity.h"
#include "model/unit.h"

namespace interlock {

enum class RunState : std::uint8_t { stopped, running, unknown };
std::string_view to_string(RunState state);

/// A key of the main section and its text as it stands; nothing: the key is not there.
using Settings = std::map<std::string, std::optional<std::string>>;

/// One way in which a configuration gives its container cards (pct.md, section 6).
struct Binding {
  enum class Form : std::uint8_t { device, mount_entry, mount_point, included };
  enum class When : std::uint8_t { now, next_start, latent };  // main section; [pve:pending]; a snapshot
  Form form = Form::mount_entry;
  When when = When::now;
  std::string line;                 // the whole line, as it stands, without its end
  std::string source;               // the host's path that it names
  std::set<PciAddress> cards;       // what that path is now; empty: no card, or not to be resolved now
  bool every_card = false;          // a folder: cards that come later too
  bool permitted = true;            // the device rules let a process use it
  bool live_after_removal = false;  // taken out of a running container's configuration: held until it stops
  bool operator==(const Binding&) const = default;
};

/// Why a container might come up without us (pct.md, section 5).
struct Autostart {
  bool onboot = false;
  bool lxc_start_auto = false;
  std::optional<std::string> ha_state;  // the HA resource's state; nothing: not managed, or `ignored`
  bool any() const {
    return onboot || lxc_start_auto || (ha_state && *ha_state != "stopped" && *ha_state != "disabled");
  }
  bool operator==(const Autostart&) const = default;
};

/// What an earlier cutover took away from a container, to be given back as it was.
struct Keepsake {
  std::map<PciAddress, std::vector<std::string>> lines;  // by card, in their order
  std::optional<std::optional<std::string>> onboot;  // nothing: not taken; inner nothing: the key was absent
  bool operator==(const Keepsake&) const = default;
};

enum class UnitsAnswer : std::uint8_t { answered, not_running, unanswered, not_asked };

struct Container {
  Vmid vmid;
  std::string name{};    // hostname
  std::string config{};  // the file's bytes
  std::string digest{};  // SHA-1 of them, as `pct set --digest` takes it
  RunState running = RunState::unknown;
  Settings settings{};  // main section, by key
  std::vector<Binding> bindings{};
  Autostart autostart{};
  std::string lock{};  // `lock:`; empty: none
  bool is_template = false;
  bool unprivileged = false;
  bool may_make_nodes = false;  // privileged with mknod and rules that allow it: exclusivity-not-provable
  std::vector<std::string> unprovable{};  // lines whose effect we cannot know: hooks, unreadable includes
  std::vector<std::string> pending{};     // keys in [pve:pending], its `delete:` among them
  std::vector<std::string> generated_lines{};  // card lines in /var/lib/lxc/<vmid>/config
  std::set<PciAddress> generated_cards{};      // the cards that those lines give, as their paths are now
  bool generated_stale = false;                // they differ from what the configuration would generate
  UnitsAnswer units_answer = UnitsAnswer::not_asked;
  std::string units_error{};  // why unanswered
  std::vector<Unit> units{};  // the declared ones, as answered
  Keepsake keepsake{};
  std::vector<std::string>
      ineffective{};  // "LINE: why": lines that mean nothing to Proxmox, or stop the start
  std::vector<std::string>
      stop_backups{};  // enabled backup jobs that stop it and start it again (pct.md, 5.5)

  bool operator==(const Container&) const = default;

  /// Cards that it has when it runs: main section, and pending where a next start brings them.
  std::set<PciAddress> cards() const;
  bool binds(const PciAddress& card) const;
  /// I1: it binds the card and runs, may run or would start without us; or it runs with what was generated.
  bool can_hold(const PciAddress& card) const;
  const Unit* unit(const UnitName& wanted) const;
};

}  // namespace interlock
