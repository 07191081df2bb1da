#include "host/root_folder.h"

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>

namespace interlock {
namespace {

int open_in_root(int root, const std::string& path, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<decltype(how.flags)>(flags);
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = RESOLVE_IN_ROOT;
  // EAGAIN: somebody renamed a folder on the way while ".." was being followed (openat2(2)).
  for (int tries = 0;; ++tries) {
    const long fd = ::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how);
    if (fd >= 0 || (errno != EAGAIN && errno != EINTR) || tries == 16) return static_cast<int>(fd);
  }
}

Result<std::string> path_of_fd(int fd, const std::string& asked) {
  std::string target(PATH_MAX, '\0');
  const ssize_t length =
      ::readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), target.data(), target.size());
  if (length < 0) return fail_errno(errno, fmt::format("cannot tell what {} is", asked));
  target.resize(static_cast<std::size_t>(length));
  return target;
}

Result<void> check_absolute(const std::string& path) {
  if (path.starts_with('/')) return {};
  return std::unexpected(Error{fmt::format("{} is not an absolute path", path), EINVAL});
}

}  // namespace

Result<RootFolder> RootFolder::open_root(const std::string& root) {
  RootFolder opened;
  Fd folder(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return fail_errno(errno, fmt::format("cannot open the root folder {}", root));
  opened.path_ = TRY(path_of_fd(folder.get(), root));
  if (opened.path_ == "/") return opened;
  const Fd tried(open_in_root(folder.get(), ".", O_PATH | O_CLOEXEC, 0));
  if (!tried) {
    return fail_errno(
        errno, fmt::format("cannot use {} as a root folder, since openat2(2), which keeps links inside "
                           "it, is refused",
                           root));
  }
  opened.root_ = std::move(folder);
  return opened;
}

Result<Fd> RootFolder::open(const std::string& path, int flags, mode_t mode) const {
  TRY(check_absolute(path));
  flags |= O_CLOEXEC;
  int fd = -1;
  if (root_) {
    fd = open_in_root(root_.get(), path, flags, mode);
  } else {
    do {
      fd = ::open(path.c_str(), flags, mode);
    } while (fd < 0 && errno == EINTR);
  }
  if (fd < 0) return fail_errno(errno, fmt::format("cannot open {}", path));
  return Fd(fd);
}

Result<FolderPlace> RootFolder::place(const std::string& path) const {
  TRY(check_absolute(path));
  if (!root_) return FolderPlace{Fd(), path};
  std::string clean = path;
  while (clean.size() > 1 && clean.ends_with('/')) clean.pop_back();
  const auto slash = clean.rfind('/');
  std::string name = clean.substr(slash + 1);
  const std::string above = slash == 0 ? "/" : clean.substr(0, slash);
  // ".." as a last name would lead an *at() call out of the root.
  if (name.empty() || name == "." || name == "..") {
    return FolderPlace{TRY(open(clean, O_PATH | O_DIRECTORY)), "."};
  }
  auto folder = open(above, O_PATH | O_DIRECTORY);
  if (!folder) {
    return fail_errno(folder.error().code, fmt::format("cannot open the folder of {}", path));
  }
  return FolderPlace{*std::move(folder), std::move(name)};
}

Result<std::string> RootFolder::real_path(const std::string& path) const {
  TRY(check_absolute(path));
  if (!root_) {
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
    if (!real) return fail_errno(errno, fmt::format("cannot follow {}", path));
    return std::string(real.get());
  }
  const Fd fd = TRY(open(path, O_PATH));
  std::string found = TRY(path_of_fd(fd.get(), path));
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0 || status.st_nlink == 0) {
    return fail_errno(ENOENT, fmt::format("{} went away while it was looked at", path));
  }
  if (found == path_) return std::string("/");
  if (!found.starts_with(path_ + "/")) return fail("{} leads out of the root folder {}", path, path_);
  return found.substr(path_.size());
}

}  // namespace interlock
