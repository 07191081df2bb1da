// Looking at files; see files.h.
#include <dirent.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include "host/files.h"

namespace interlock::files {
namespace {

constexpr std::size_t kLongestFile = std::size_t{4} << 20;

FileInfo::Kind kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return FileInfo::Kind::file;
    case S_IFDIR:
      return FileInfo::Kind::folder;
    case S_IFLNK:
      return FileInfo::Kind::link;
    case S_IFCHR:
      return FileInfo::Kind::character_device;
    case S_IFBLK:
      return FileInfo::Kind::block_device;
    default:
      return FileInfo::Kind::other;
  }
}

/// statx(2) without asking a file's server: the answer about an open file on a dead NFS share must not be
/// waited for.
Result<FileInfo> look(int folder, const std::string& name, int flags, const std::string& path) {
  struct statx status{};
  if (::statx(folder, name.c_str(), flags | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_MODE | STATX_INO,
              &status) != 0) {
    return fail_errno(errno, fmt::format("cannot look at {}", path));
  }
  return FileInfo{.kind = kind_of(status.stx_mode),
                  .mode = static_cast<mode_t>(status.stx_mode & 07777),
                  .inode = status.stx_ino,
                  .device_major = status.stx_rdev_major,
                  .device_minor = status.stx_rdev_minor};
}

/// Opens only what opening cannot change: a device may do anything when it is opened, and a pipe waits.
Result<Fd> open_to_read(const RootFolder& root, const std::string& path) {
  const FileInfo found = TRY(info(root, path, true));
  if (found.kind == FileInfo::Kind::folder) return fail_errno(EISDIR, fmt::format("cannot read {}", path));
  if (found.kind != FileInfo::Kind::file) {
    return std::unexpected(Error{fmt::format("cannot read {}: it is not a regular file", path), EINVAL});
  }
  return root.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

/// To the file's end or to `most` bytes. Files of /proc and /sys call themselves empty, so sizes say nothing.
Result<std::string> read_up_to(int fd, std::size_t most, const std::string& path) {
  std::string content;
  std::array<char, 16384> buffer;
  while (content.size() < most) {
    const ssize_t got = ::read(fd, buffer.data(), std::min(buffer.size(), most - content.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno(errno, fmt::format("cannot read {}", path));
    if (got == 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return content;
}

Result<std::string> read_in(int folder, const std::string& name, const std::string& path) {
  const Fd fd(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!fd) return fail_errno(errno, fmt::format("cannot open {}/{}", path, name));
  return read_up_to(fd.get(), kLongestFile, path);
}

Result<std::string> target_of(int folder, const char* name, const std::string& path) {
  std::array<char, PATH_MAX> target;
  const ssize_t length = ::readlinkat(folder, name, target.data(), target.size());
  if (length < 0) return fail_errno(errno, fmt::format("cannot read the link {}", path));
  return std::string(target.data(), static_cast<std::size_t>(length));
}

/// Calls `each(folder's descriptor, entry)` for all entries but "." and "..". getdents64(2) itself:
/// readdir(3) adds calls and memory of its own to each folder, and there are two for every process.
template <class Each>
Result<void> walk(const RootFolder& root, const std::string& path, Each each) {
  const Fd folder = TRY(root.open(path, O_RDONLY | O_DIRECTORY));
  alignas(dirent64) std::array<char, 32768> buffer;
  for (;;) {
    const ssize_t got = ::getdents64(folder.get(), buffer.data(), buffer.size());
    if (got < 0) return fail_errno(errno, fmt::format("cannot list {}", path));
    if (got == 0) return {};
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      const auto& entry = *reinterpret_cast<const dirent64*>(buffer.data() + at);
      at += entry.d_reclen;
      const std::string_view name = entry.d_name;
      if (name != "." && name != "..") each(folder.get(), entry);
    }
  }
}

}  // namespace

Result<std::string> read_start(const RootFolder& root, const std::string& path, std::size_t most) {
  const Fd fd = TRY(open_to_read(root, path));
  return read_up_to(fd.get(), most, path);
}

Result<std::string> read_file(const RootFolder& root, const std::string& path) {
  std::string content = TRY(read_start(root, path, kLongestFile + 1));
  if (content.size() > kLongestFile) {
    return std::unexpected(Error{fmt::format("cannot read {}: it is longer than 4 MiB", path), EFBIG});
  }
  return content;
}

Result<std::vector<std::string>> list_folder(const RootFolder& root, const std::string& path) {
  std::vector<std::string> names;
  TRY(walk(root, path, [&](int, const dirent64& entry) { names.emplace_back(entry.d_name); }));
  std::ranges::sort(names);
  return names;
}

Result<std::vector<std::string>> list_subfolders(const RootFolder& root, const std::string& path) {
  std::vector<std::string> names;
  TRY(walk(root, path, [&](int at, const dirent64& entry) {
    bool is_folder = entry.d_type == DT_DIR;
    if (entry.d_type == DT_UNKNOWN) {  // this file system does not say it with the name
      const auto found = look(at, entry.d_name, AT_SYMLINK_NOFOLLOW, path);
      is_folder = found && found->kind == FileInfo::Kind::folder;
    }
    if (is_folder) names.emplace_back(entry.d_name);
  }));
  std::ranges::sort(names);
  return names;
}

Result<std::vector<FolderEntry>> list_with_info(const RootFolder& root, const std::string& path) {
  std::vector<FolderEntry> entries;
  TRY(walk(root, path, [&](int at, const dirent64& entry) {
    std::string name = entry.d_name;
    // Below a root folder each link must be resolved inside it, which a look by name alone would not do.
    auto found = root.rooted() ? info(root, path + "/" + name, true) : look(at, name, 0, path);
    entries.push_back({std::move(name), std::move(found)});
  }));
  std::ranges::sort(entries, {}, &FolderEntry::name);
  return entries;
}

Result<std::vector<FolderText>> list_links(const RootFolder& root, const std::string& path) {
  std::vector<FolderText> links;
  TRY(walk(root, path, [&](int at, const dirent64& entry) {
    links.push_back({entry.d_name, target_of(at, entry.d_name, path)});
  }));
  std::ranges::sort(links, {}, &FolderText::name);
  return links;
}

Result<std::vector<FolderText>> read_folder(const RootFolder& root, const std::string& path,
                                            const std::vector<std::string>& passed_over) {
  std::vector<FolderText> texts;
  TRY(walk(root, path, [&](int at, const dirent64& entry) {
    std::string name = entry.d_name;
    if (entry.d_type == DT_DIR || std::ranges::binary_search(passed_over, name)) return;
    // Anything but a plain file is left to the careful way.
    auto text = entry.d_type == DT_REG ? read_in(at, name, path) : read_file(root, path + "/" + name);
    if (!text && text.error().code == EISDIR) return;
    texts.push_back({std::move(name), std::move(text)});
  }));
  std::ranges::sort(texts, {}, &FolderText::name);
  return texts;
}

Result<std::string> read_link(const RootFolder& root, const std::string& path) {
  const FolderPlace place = TRY(root.place(path));
  return target_of(place.at(), place.name.c_str(), path);
}

Result<FileInfo> info(const RootFolder& root, const std::string& path, bool follow) {
  if (follow && root.rooted()) {
    const Fd fd = TRY(root.open(path, O_PATH));
    return look(fd.get(), "", AT_EMPTY_PATH, path);
  }
  const FolderPlace place = TRY(root.place(path));
  return look(place.at(), place.name, follow ? 0 : AT_SYMLINK_NOFOLLOW, path);
}

}  // namespace interlock::files
