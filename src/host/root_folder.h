// Paths of the host, opened below a root folder: "/" itself, or a folder that stands for a host (--root),
// whose absolute links then resolve inside it (openat2(2), RESOLVE_IN_ROOT).
#pragma once

#include <fcntl.h>

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace interlock {

/// A place for the *at() calls that do not follow a last link: `name` below the folder `at()`.
struct FolderPlace {
  Fd folder;
  std::string name;
  int at() const { return folder ? folder.get() : AT_FDCWD; }
};

class RootFolder {
 public:
  /// An error where `root` is no folder, or openat2 is refused, without which links could lead out of it.
  static Result<RootFolder> open_root(const std::string& root);

  bool rooted() const { return static_cast<bool>(root_); }
  /// What a child process must keep open that looks through it; -1 when not rooted.
  int descriptor() const { return root_.get(); }
  /// Absolute, without links; "/" when not rooted.
  const std::string& path() const { return path_; }

  /// open(2), always with O_CLOEXEC. Errors name the path as the host has it, and carry the errno.
  Result<Fd> open(const std::string& path, int flags, mode_t mode = 0) const;
  /// The folder above `path`, with all its links followed, and the last name.
  Result<FolderPlace> place(const std::string& path) const;
  /// What lies behind all links, as the host has it ("/dev/dri/renderD129").
  Result<std::string> real_path(const std::string& path) const;

 private:
  RootFolder() = default;
  Fd root_;  // only when rooted
  std::string path_ = "/";
};

}  // namespace interlock
