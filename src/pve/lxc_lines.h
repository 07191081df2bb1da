// Raw lxc lines, of a configuration or of lxc's own files, to grants and device rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pve/bindings.h"
#include "pve/mount_entry.h"

namespace interlock::pve {

struct LxcLine {
  std::string text;  // as it stands
  std::string key;   // "lxc.mount.entry"
  std::string value;
};

/// `key = value` lines of a file that lxc itself reads; comments and everything else left out.
std::vector<LxcLine> native_lines(std::string_view text);

/// Reads lines in lxc's order and adds what they grant to `out`; remembers what decides over all of them.
class LxcLines {
 public:
  LxcLines(Grants& out, const TextOf& included) : out_(out), included_(included) {}

  void read(const ConfigSection& section, Binding::When when);
  void read(const std::vector<LxcLine>& lines, Binding::When when, const std::string& origin);
  /// A snapshot's: its mounts alone. Nothing of it is in force, and no file is read for it.
  void read_latent(const ConfigSection& snapshot);

  bool mknod_dropped() const { return dropped_ || (kept_any_ && !kept_); }
  bool has_idmap() const { return has_idmap_; }
  bool start_auto() const { return start_auto_; }

 private:
  void take(const LxcLine& line, Binding::When when, const std::string& origin);
  void take_mount(const LxcLine& line, Binding::When when, const std::string& origin, bool included);
  void take_fstab(const LxcLine& line, Binding::When when);
  void take_include(const LxcLine& line, Binding::When when);
  void take_rule(const LxcLine& line);
  void take_capabilities(const LxcLine& line);

  Grants& out_;
  const TextOf& included_;
  std::vector<std::string> open_;  // included files being read
  bool dropped_ = false;           // mknod stands in lxc.cap.drop
  bool kept_ = false;              // mknod stands in lxc.cap.keep
  bool kept_any_ = false;          // there is an lxc.cap.keep
  bool has_idmap_ = false;
  bool start_auto_ = false;
};

}  // namespace interlock::pve
