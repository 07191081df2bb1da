// Changing files; see files.h.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/text.h"
#include "host/files.h"

namespace interlock::files {
namespace {

Result<void> write_whole(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_errno(errno, fmt::format("cannot write {}", path));
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> sync_folder(const RootFolder& root, const std::string& path) {
  const Fd folder = TRY(root.open(path, O_RDONLY | O_DIRECTORY));
  // EINVAL: this file system has nothing to sync for a folder (fsync(2)).
  if (::fsync(folder.get()) != 0 && errno != EINVAL) {
    return fail_errno(errno, fmt::format("cannot sync the folder {}", path));
  }
  return {};
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

/// The file itself, written and, if wished, on the disk.
Result<void> write_new(int fd, const std::string& path, std::string_view content, mode_t mode,
                       Durability durability) {
  TRY(write_whole(fd, content, path));
  struct stat status{};
  if (::fstat(fd, &status) != 0) return fail_errno(errno, fmt::format("cannot look at {}", path));
  // The umask may have taken bits away. pmxcfs has its own modes and refuses every other (pct.md, section 3).
  if ((status.st_mode & 07777) != mode && ::fchmod(fd, mode) != 0 &&
      !(errno == EPERM && path.starts_with("/etc/pve/"))) {
    return fail_errno(errno, fmt::format("cannot set the mode of {}", path));
  }
  if (durability == Durability::synced && ::fsync(fd) != 0) {
    return fail_errno(errno, fmt::format("cannot sync {}", path));
  }
  return {};
}

/// close(2) reports what the file system could not write until then; FUSE has its flush there.
Result<void> close_checked(Fd fd, const std::string& path) {
  if (::close(fd.release()) != 0) return fail_errno(errno, fmt::format("cannot write {}", path));
  return {};
}

/// `flags`: of renameat2(2).
Result<void> put_in_place(const RootFolder& root, const std::string& path, std::string_view content,
                          mode_t mode, Durability durability, unsigned flags) {
  const FolderPlace place = TRY(root.place(path));
  const std::string beside = fmt::format("{}.tmp.{}", path, ::getpid());
  const std::string beside_name = fmt::format("{}.tmp.{}", place.name, ::getpid());
  Fd fd = TRY(root.open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode));
  auto written = write_new(fd.get(), beside, content, mode, durability);
  if (written) written = close_checked(std::move(fd), beside);
  if (written && ::renameat2(place.at(), beside_name.c_str(), place.at(), place.name.c_str(), flags) != 0) {
    written = fail_errno(errno, fmt::format("cannot put {} in place", path));
  }
  if (!written) {
    static_cast<void>(::unlinkat(place.at(), beside_name.c_str(), 0));  // the error that matters is at hand
    return written;
  }
  if (durability == Durability::synced) return sync_folder(root, folder_of(path));
  return {};
}

}  // namespace

Result<void> replace_file(const RootFolder& root, const std::string& path, std::string_view content,
                          mode_t mode, Durability durability) {
  return put_in_place(root, path, content, mode, durability, 0);
}

Result<void> create_file(const RootFolder& root, const std::string& path, std::string_view content,
                         mode_t mode, Durability durability) {
  return put_in_place(root, path, content, mode, durability, RENAME_NOREPLACE);
}

Result<void> append_file(const RootFolder& root, const std::string& path, std::string_view content) {
  const Fd fd = TRY(root.open(path, O_WRONLY | O_CREAT | O_APPEND, 0600));
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, fmt::format("cannot look at {}", path));
  auto written = write_whole(fd.get(), content, path);
  if (!written) {
    // A half of a record must not stand before the next one. Failing that too, its reader finds it torn.
    static_cast<void>(!::ftruncate(fd.get(), status.st_size));
    return written;
  }
  if (::fdatasync(fd.get()) != 0) return fail_errno(errno, fmt::format("cannot sync {}", path));
  if (status.st_size == 0) return sync_folder(root, folder_of(path));  // its name is new
  return {};
}

Result<void> write_control(const RootFolder& root, const std::string& path, std::string_view content) {
  const Fd fd = TRY(root.open(path, O_WRONLY | O_TRUNC | O_NONBLOCK));
  const ssize_t written = ::write(fd.get(), content.data(), content.size());
  if (written < 0) return fail_errno(errno, fmt::format("cannot write {}", path));
  if (static_cast<std::size_t>(written) != content.size())
    return fail("{} took only a part of what was written", path);
  return {};
}

Result<void> remove_file(const RootFolder& root, const std::string& path) {
  const FolderPlace place = TRY(root.place(path));
  if (::unlinkat(place.at(), place.name.c_str(), 0) != 0) {
    return fail_errno(errno, fmt::format("cannot remove {}", path));
  }
  return {};
}

Result<void> make_folder(const RootFolder& root, const std::string& path, mode_t mode) {
  std::string sofar;
  for (const std::string_view name : split(path, '/')) {
    if (name.empty()) continue;
    sofar += "/";
    sofar += name;
    const FolderPlace place = TRY(root.place(sofar));
    if (::mkdirat(place.at(), place.name.c_str(), mode) == 0) {
      TRY(sync_folder(root, folder_of(sofar)));
    } else if (errno != EEXIST) {
      return fail_errno(errno, fmt::format("cannot make the folder {}", sofar));
    }
  }
  const FileInfo made = TRY(info(root, path, true));
  if (made.kind != FileInfo::Kind::folder)
    return fail_errno(ENOTDIR, fmt::format("{} is not a folder", path));
  return {};
}

Result<void> sync_file(const RootFolder& root, const std::string& path) {
  const Fd fd = TRY(root.open(path, O_RDONLY | O_NONBLOCK));
  if (::fsync(fd.get()) != 0) return fail_errno(errno, fmt::format("cannot sync {}", path));
  return {};
}

}  // namespace interlock::files
