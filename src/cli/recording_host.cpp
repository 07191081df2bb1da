#include "cli/recording_host.h"

#include <cerrno>

#include "base/text.h"

namespace interlock::cli {
namespace {

constexpr int kDeepest = 16;  // links that lead to links

/// Thousands of processes, with no link on the way to their files.
bool is_of_process(std::string_view path) {
  return path.starts_with("/proc/");
}

std::unexpected<Error> read_only(const std::string& path) {
  return fail_errno(EROFS, path + " is only looked at");
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

std::string RecordingHost::placed(const std::string& path, int depth) {
  if (is_of_process(path) || path.empty() || depth > kDeepest) return path;
  if (const auto known = placed_.find(path); known != placed_.end()) return known->second;
  std::string at = placed(folder_of(path), depth + 1);
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name == ".." || name == "." || name.empty()) {
    if (name == "..") at = folder_of(at);
  } else {
    at += "/" + name;
    const auto found = host_.info(at);
    if (found && found->kind == FileInfo::Kind::link) {
      if (const auto target = host_.read_link(at)) {
        taken_.files[at] = {.kind = FileInfo::Kind::link, .content = {}, .target = *target};
        at = placed(target->starts_with('/') ? *target : folder_of(at) + "/" + *target, depth + 1);
      }
    }
  }
  placed_[path] = at;
  return at;
}

template <class T>
Result<T> RecordingHost::noted(const char* how, const std::string& path, Result<T> result) {
  if (!result && !is_missing(result.error()))
    taken_.errors[fmt::format("{} {}", how, path)] = result.error().code == 0 ? EIO : result.error().code;
  return result;
}

void RecordingHost::note_info(const std::string& path, const Result<FileInfo>& info) {
  if (!info || info->kind == FileInfo::Kind::link) return;
  TakenFile& file = taken_.files[placed(path)];
  if (file.read || file.kind == FileInfo::Kind::link) return;
  file.kind = info->kind;
  file.device_major = info->device_major;
  file.device_minor = info->device_minor;
}

/// What is a folder or a link is made of its name alone; a file that nobody reads is left out.
void RecordingHost::note_names(const std::string& path, const std::vector<std::string>& names) {
  const std::string folder = placed(path);
  taken_.files[folder].kind = FileInfo::Kind::folder;
  if (is_of_process(path + "/")) return;
  for (const std::string& name : names) {
    const auto found = host_.info(folder + "/" + name);
    if (!found) continue;
    if (found->kind == FileInfo::Kind::link) {
      if (const auto target = host_.read_link(folder + "/" + name))
        taken_.files[folder + "/" + name] = {.kind = FileInfo::Kind::link, .content = {}, .target = *target};
    } else if (found->kind != FileInfo::Kind::file) {
      note_info(folder + "/" + name, found);
    }
  }
}

void RecordingHost::put(const std::string& path, std::string content) {
  taken_.files[placed(path)] = {
      .kind = FileInfo::Kind::file, .content = std::move(content), .target = {}, .read = true};
}

Result<std::string> RecordingHost::read_file(const std::string& path) {
  auto text = noted("read", path, host_.read_file(path));
  if (text) put(path, *text);
  return text;
}

Result<std::string> RecordingHost::read_start(const std::string& path, std::size_t most) {
  auto text = noted("read", path, host_.read_start(path, most));
  if (text) {
    const auto known = taken_.files.find(placed(path));
    if (known == taken_.files.end() || known->second.content.size() < text->size()) put(path, *text);
  }
  return text;
}

Result<std::vector<std::string>> RecordingHost::list_folder(const std::string& path) {
  auto names = noted("list", path, host_.list_folder(path));
  if (names) note_names(path, *names);
  return names;
}

Result<std::vector<FolderEntry>> RecordingHost::list_with_info(const std::string& path) {
  auto entries = noted("list", path, host_.list_with_info(path));
  if (!entries) return entries;
  taken_.files[placed(path)].kind = FileInfo::Kind::folder;
  for (const FolderEntry& entry : *entries) {
    static_cast<void>(noted("info", path + "/" + entry.name, entry.info));  // its caller has it, too
    note_info(path + "/" + entry.name, entry.info);
  }
  return entries;
}

Result<std::vector<std::string>> RecordingHost::list_subfolders(const std::string& path) {
  auto names = noted("list", path, host_.list_subfolders(path));
  if (names) {
    taken_.files[placed(path)].kind = FileInfo::Kind::folder;
    for (const std::string& name : *names)
      taken_.files[placed(path + "/" + name)].kind = FileInfo::Kind::folder;
  }
  return names;
}

Result<std::string> RecordingHost::read_link(const std::string& path) {
  auto target = noted("link", path, host_.read_link(path));
  if (target) {
    const std::string at = placed(folder_of(path)) + path.substr(path.rfind('/'));
    taken_.files[at] = {.kind = FileInfo::Kind::link, .content = {}, .target = *target};
  }
  return target;
}

Result<std::string> RecordingHost::real_path(const std::string& path) {
  auto real = noted("real", path, host_.real_path(path));
  if (real) {
    static_cast<void>(placed(path));  // for the links on the way
    note_info(*real, host_.info(*real));
  }
  return real;
}

Result<FileInfo> RecordingHost::info(const std::string& path, bool follow) {
  auto found = noted("info", path, host_.info(path, follow));
  if (found && found->kind == FileInfo::Kind::link) {
    static_cast<void>(placed(path));  // and its target
  } else {
    note_info(path, found);
  }
  return found;
}

Result<std::string> RecordingHost::apart(const std::function<std::string()>& work, Duration deadline) {
  // In a child all that it notes would be lost with it: it goes the way of the answer.
  constexpr std::size_t kLength = 20;
  const auto both = host_.apart(
      [&] {
        Taken before = std::exchange(taken_, {});
        const std::string answer = work();
        const std::string noted = packed(std::exchange(taken_, std::move(before)));
        return fmt::format("{:{}}", answer.size(), kLength) + answer + noted;
      },
      deadline);
  if (!both) return both;
  const auto length =
      both->size() < kLength ? std::nullopt : parse_number<std::size_t>(trimmed(both->substr(0, kLength)));
  if (!length || *length > both->size() - kLength) return fail("a card's sensors were read only in part");
  taken_.add(TRY(unpacked(std::string_view(*both).substr(kLength + *length))));
  return both->substr(kLength, *length);
}

Result<bool> RecordingHost::is_locked(const std::string& path) {
  auto locked = noted("lock", path, host_.is_locked(path));
  if (locked) taken_.locks[path] = *locked;
  return locked;
}

Result<CommandEnd> RecordingHost::run(const Command& command) {
  auto end = host_.run(command);
  TakenAnswer answer{.argv = command.argv, .end = {}, .error = {}};
  if (end) {
    answer.end = *end;
  } else {
    answer.error = end.error().message;
    answer.error_code = end.error().code;
  }
  taken_.add_answer(std::move(answer));
  return end;
}

Result<void> RecordingHost::replace_file(const std::string& path, std::string_view, mode_t, Durability) {
  return read_only(path);
}
Result<void> RecordingHost::append_file(const std::string& path, std::string_view) {
  return read_only(path);
}
Result<void> RecordingHost::write_control(const std::string& path, std::string_view) {
  return read_only(path);
}
Result<void> RecordingHost::remove_file(const std::string& path) {
  return read_only(path);
}
Result<void> RecordingHost::make_folder(const std::string& path, mode_t) {
  return read_only(path);
}
Result<void> RecordingHost::sync_file(const std::string& path) {
  return read_only(path);
}
Result<std::unique_ptr<HeldLock>> RecordingHost::lock(const std::string& path, Duration) {
  return read_only(path);
}
Result<void> RecordingHost::signal(const ProcessId&, int) {
  return fail_errno(EROFS, "processes are only looked at");
}

}  // namespace interlock::cli
