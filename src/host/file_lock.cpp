#include "host/file_lock.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

#include "host/files.h"

namespace interlock::files {
namespace {

class HeldFile final : public HeldLock {
 public:
  explicit HeldFile(Fd fd) : fd_(std::move(fd)) {}

 private:
  Fd fd_;  // closing lets go
};

Result<Fd> open_lock(const RootFolder& root, const std::string& path) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_APPEND | O_NOCTTY;
  auto fd = root.open(path, kFlags, 0600);
  if (fd || fd.error().code != ENOENT) return fd;
  TRY(make_folder(root, path.substr(0, path.rfind('/')), 0755));  // /run is empty after a boot
  return root.open(path, kFlags, 0600);
}

}  // namespace

Result<std::unique_ptr<HeldLock>> try_lock(const RootFolder& root, const std::string& path) {
  for (;;) {
    Fd fd = TRY(open_lock(root, path));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) return nullptr;
      return fail_errno(errno, fmt::format("cannot lock {}", path));
    }
    struct stat status{};
    if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, fmt::format("cannot look at {}", path));
    // Removed between our open and the lock: the next comer would lock another file of that name.
    if (status.st_nlink > 0) return std::make_unique<HeldFile>(std::move(fd));
  }
}

Result<bool> is_locked(const RootFolder& root, const std::string& path) {
  const auto fd = root.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!fd && is_missing(fd.error())) return false;
  if (!fd) return std::unexpected(fd.error());
  while (::flock(fd->get(), LOCK_SH | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return true;
    if (errno != EINTR) return fail_errno(errno, fmt::format("cannot ask whether {} is locked", path));
  }
  return false;  // closing lets go
}

}  // namespace interlock::files
