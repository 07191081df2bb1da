// The seam: the few primitive operations that we need of a machine. All knowledge of Proxmox, sysfs and
// systemd stands above it. Paths are absolute, as the host has them ("/etc/pve/lxc/120.conf"); a rooted
// implementation puts its folder in front, and resolves links inside it.
//
// Errors carry the errno (Error::code). is_missing() tells "not there" from "could not be asked".
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/holder.h"

namespace interlock {

struct FileInfo {
  enum class Kind : std::uint8_t { file, folder, link, character_device, block_device, other };
  Kind kind = Kind::other;
  mode_t mode = 0;  // permission bits
  std::uint64_t inode = 0;
  unsigned device_major = 0;  // of a device node
  unsigned device_minor = 0;
};

/// A name in a folder, and what is behind it (stat(2)).
struct FolderEntry {
  std::string name;
  Result<FileInfo> info;
};

/// A name in a folder, and the target of a link or the text of a file.
struct FolderText {
  std::string name;
  Result<std::string> text;
};

struct Command {
  std::vector<std::string> argv;  // argv[0] is an absolute path on the host
  std::string input;              // standard input; empty: /dev/null
  Duration deadline{};            // then its process group is killed
};

/// How a command that was started has ended. A hint, never a proof (pct.md, 1.0).
struct CommandEnd {
  enum class How : std::uint8_t { exited, signalled, timed_out };
  How how = How::exited;
  int code = 0;        // exit status, or the signal's number
  std::string output;  // at most 1 MiB each
  std::string errors;
  Duration deadline{};  // the time that it had
  bool success() const { return how == How::exited && code == 0; }
  std::string text() const;  // "exit status 255: CT is locked (backup)", "no answer within 30 s"
};

/// An advisory lock (flock(2), exclusive), held while this object lives.
class HeldLock {
 public:
  HeldLock() = default;
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;
  virtual ~HeldLock() = default;
};

enum class Durability : std::uint8_t { synced, plain };  // plain: files below /run, whose loss a boot implies

class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  virtual ~Host() = default;

  // Looking.
  /// At most 4 MiB; longer is an error (EFBIG).
  virtual Result<std::string> read_file(const std::string& path) = 0;
  /// Names, sorted, without "." and "..".
  virtual Result<std::vector<std::string>> list_folder(const std::string& path) = 0;
  /// The first bytes alone, where the rest would cost: two of a card's `config` instead of 4096 bus reads.
  virtual Result<std::string> read_start(const std::string& path, std::size_t most);
  /// list_folder() with info(follow) of each entry, for folders that are looked through often.
  virtual Result<std::vector<FolderEntry>> list_with_info(const std::string& path);
  /// Names of the folders alone, sorted, links not followed: for cgroup trees, which are mostly files.
  virtual Result<std::vector<std::string>> list_subfolders(const std::string& path);
  /// read_link() of each entry, sorted by name; of what is no link that is an error (EINVAL).
  virtual Result<std::vector<FolderText>> list_links(const std::string& path);
  /// read_file() of each entry that is no folder, sorted by name, but for those in `passed_over` (sorted).
  virtual Result<std::vector<FolderText>> read_folder(const std::string& path,
                                                      const std::vector<std::string>& passed_over);
  virtual Result<std::string> read_link(const std::string& path) = 0;
  /// The absolute path (as the host has it) behind all links.
  virtual Result<std::string> real_path(const std::string& path) = 0;
  /// lstat(2); `follow` for stat(2).
  virtual Result<FileInfo> info(const std::string& path, bool follow = false) = 0;
  /// What `work`, which only looks, returns; ETIMEDOUT after the deadline. It may run in a child process: a
  /// read that hangs in the kernel cannot be interrupted, and whoever reads it waits for ever. Here: at once.
  virtual Result<std::string> apart(const std::function<std::string()>& work, Duration deadline);

  // Changing files.
  /// Write beside as `<path>.tmp.<pid>`, sync, rename, sync the folder. Readers see the old or the new whole.
  virtual Result<void> replace_file(const std::string& path, std::string_view content, mode_t mode,
                                    Durability durability) = 0;
  /// Append and fdatasync; creates the file (0600).
  virtual Result<void> append_file(const std::string& path, std::string_view content) = 0;
  /// One write(2) into a file that is there: cgroup.kill, cgroup.freeze.
  virtual Result<void> write_control(const std::string& path, std::string_view content) = 0;
  virtual Result<void> remove_file(const std::string& path) = 0;
  /// And its parents. There already is fine.
  virtual Result<void> make_folder(const std::string& path, mode_t mode) = 0;
  /// fsync(2) of an existing file, opened read-only: the barrier of pct.md, section 3.
  virtual Result<void> sync_file(const std::string& path) = 0;

  // Locks, commands, processes.
  /// Created when missing. Busy until `patience` is over: an error with code EWOULDBLOCK.
  virtual Result<std::unique_ptr<HeldLock>> lock(const std::string& path, Duration patience) = 0;
  /// Somebody holds that lock now. No such file: no. Never creates it; lets go at once of what it takes to
  /// ask.
  virtual Result<bool> is_locked(const std::string& path) = 0;
  /// Clean environment, closed descriptors, own process group. An error: it could not be started at all.
  virtual Result<CommandEnd> run(const Command& command) = 0;
  /// pidfd_open, the start time looked at again, pidfd_send_signal. ESRCH: it is gone. Rooted: EPERM.
  virtual Result<void> signal(const ProcessId& process, int signal) = 0;

  // Time.
  virtual Instant now() = 0;
  virtual void wait(Duration duration) = 0;
  /// "2026-11-30T02:14:07Z": for people, never for a decision.
  virtual std::string wall_clock() = 0;
  /// A root other than "/": no signal, no bus, no real device.
  virtual bool rooted() const = 0;
};

}  // namespace interlock
