#include "mocks/disk.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace interlock::mocks::disk {
namespace fs = std::filesystem;

Result<std::string> read(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return fail_errno(errno, path);
  std::string text;
  std::array<char, 16384> buffer{};
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno(errno, path);
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

Result<void> replace(const std::string& path, std::string_view content, unsigned mode) {
  const std::string beside = fmt::format("{}.mock.{}", path, ::getpid());
  {
    const Fd fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode | 0200U));
    if (!fd) return fail_errno(errno, beside);
    if (::write(fd.get(), content.data(), content.size()) != static_cast<ssize_t>(content.size())) {
      return fail_errno(errno, beside);
    }
  }
  std::error_code error;
  if (fs::symlink_status(path, error).type() == fs::file_type::directory) fs::remove_all(path, error);
  if (::rename(beside.c_str(), path.c_str()) != 0) return fail_errno(errno, path);
  return {};
}

Result<void> overwrite(const std::string& path, std::string_view content, unsigned mode) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status{};
  if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return replace(path, content, mode);
  if (::pwrite(fd.get(), content.data(), content.size(), 0) != static_cast<ssize_t>(content.size())) {
    return fail_errno(errno, path);
  }
  const auto length = static_cast<off_t>(content.size());
  if (status.st_size > length && ::ftruncate(fd.get(), length) != 0) return fail_errno(errno, path);
  return {};
}

Result<void> make_folders(const std::string& path) {
  std::error_code error;
  if (fs::symlink_status(path, error).type() == fs::file_type::regular) fs::remove(path, error);
  fs::create_directories(path, error);
  if (error) return fail_errno(error.value(), path);
  return {};
}

Result<void> make_link(const std::string& target, const std::string& path) {
  const std::string beside = fmt::format("{}.mock.{}", path, ::getpid());
  if (::symlink(target.c_str(), beside.c_str()) != 0) return fail_errno(errno, beside);
  if (::rename(beside.c_str(), path.c_str()) != 0) return fail_errno(errno, path);
  return {};
}

Result<void> remove(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error && error != std::errc::no_such_file_or_directory) return fail_errno(error.value(), path);
  return {};
}

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->symlink_status().type() == fs::file_type::regular) found.push_back(it->path().string());
  }
  std::ranges::sort(found);
  return found;
}

Result<std::optional<Fd>> lock(const std::string& path, bool wait) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd) return fail_errno(errno, path);
  while (::flock(fd.get(), LOCK_EX | (wait ? 0 : LOCK_NB)) != 0) {
    if (errno == EWOULDBLOCK) return std::optional<Fd>();
    if (errno != EINTR) return fail_errno(errno, path);
  }
  return std::optional(std::move(fd));
}

}  // namespace interlock::mocks::disk
