#include "cli/snapshot.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "cli/snapshot_host.h"
#include "model/journal_text.h"
#include "model/sealed_text.h"

namespace interlock::cli {
namespace {

constexpr unsigned kDrmMajor = 226;

/// "/proc/4711/fdinfo/9": 4711.
std::optional<Pid> process_of(std::string_view path) {
  constexpr std::string_view kProc = "/proc/";
  if (!path.starts_with(kProc)) return std::nullopt;
  path.remove_prefix(kProc.size());
  return parse_number<Pid>(path.substr(0, path.find('/')));
}

/// Names in a process's folder of open files: only those of cards are anybody's business.
bool is_other_descriptor(std::string_view path, const TakenFile& file) {
  if (path.find("/fdinfo/") != std::string_view::npos) return file.content.find("drm-") == std::string::npos;
  if (path.find("/fd/") == std::string_view::npos) return false;
  return file.kind != FileInfo::Kind::link || !file.target.starts_with("/dev/dri/");
}

/// /proc/net/unix: of containers' own sockets alone.
std::string container_sockets(std::string_view table) {
  std::string kept;
  for (const auto line : lines_of(table)) {
    if (kept.empty() || line.find("@/var/lib/lxc/") != std::string_view::npos)
      kept += std::string(line) + "\n";
  }
  return kept;
}

void make_strings_neutral(nlohmann::json& json, Neutral& neutral) {
  if (json.is_string()) json = neutral.text(json.get<std::string>());
  if (!json.is_structured()) return;
  for (auto& each : json) make_strings_neutral(each, neutral);
}

std::string neutral_journal(const std::string& path, const std::string& text, Neutral& neutral) {
  JournalReading reading = parse_journal(path, text);
  if (reading.torn || !reading.damage.empty()) return neutral.text(text);
  std::string out;
  for (JournalRecord& record : reading.records) {
    make_strings_neutral(record.body, neutral);
    out += journal_line(record);
  }
  return out;
}

/// What we sealed ourselves is sealed anew: it says the same of neutral names.
std::string neutral_own(const std::string& path, const std::string& text, Neutral& neutral) {
  if (path.ends_with(".journal")) return neutral_journal(path, text, neutral);
  const auto header = words(lines_of(text).empty() ? std::string_view() : lines_of(text).front());
  if (header.size() == 4 && header.front() == "gpu-interlock") {
    if (const auto body = unsealed(header[1], text)) return sealed(header[1], neutral.text(*body));
  }
  return neutral.text(text);
}

std::string vmid_in(const std::string& path) {
  const auto end = path.ends_with("/config") ? path.rfind('/') : path.rfind('.');
  const auto start = path.rfind('/', end - 1);
  return path.substr(start + 1, end - start - 1);
}

std::string neutral_content(const std::string& path, const std::string& content, Neutral& neutral) {
  const bool container = (path.starts_with("/etc/pve/") && path.find("/lxc/") != std::string::npos) ||
                         (path.starts_with("/var/lib/lxc/") && path.ends_with("/config"));
  if (container) return neutral.container(content, vmid_in(path));
  if (path.find("/qemu-server/") != std::string::npos) return Neutral::machine(content);
  if (path == "/proc/net/unix") return container_sockets(content);
  if (path.starts_with("/var/lib/gpu-interlock/") || path.starts_with("/run/gpu-interlock/"))
    return neutral_own(path, content, neutral);
  const bool plain = path.starts_with("/etc/") || path.starts_with("/var/") || path.ends_with("/cmdline") ||
                     path.ends_with("/unique_id") || path.ends_with("/properties");
  return plain ? neutral.text(content) : content;
}

/// A descriptor whose fdinfo says nothing of its card is known by the node that it is.
void add_untold_descriptors(const Taken& taken, const std::set<Pid>& kept, Taken& out) {
  std::map<unsigned, std::string> nodes;  // by minor
  for (const auto& [path, file] : taken.files) {
    if (path.starts_with("/dev/dri/") && file.device_major == kDrmMajor) nodes[file.device_minor] = path;
  }
  for (const auto& [path, file] : taken.files) {
    const auto pid = process_of(path);
    if (!pid || !kept.contains(*pid) || file.device_major != kDrmMajor) continue;
    const auto node = nodes.find(file.device_minor);
    if (node != nodes.end())
      out.files[path] = {.kind = FileInfo::Kind::link, .content = {}, .target = node->second};
  }
}

Result<void> write_one(const std::filesystem::path& at, const TakenFile& file) {
  std::error_code error;
  std::filesystem::create_directories(at.parent_path(), error);
  if (error) return fail_errno(error.value(), at.parent_path().string());
  if (file.kind == FileInfo::Kind::folder) {
    std::filesystem::create_directories(at, error);
  } else if (file.kind == FileInfo::Kind::link) {
    std::filesystem::create_symlink(file.target, at, error);
  } else {
    std::ofstream out(at, std::ios::binary);
    out << file.content << std::flush;
    if (!out) return fail("{} could not be written whole; is there room on the disk?", at.string());
  }
  if (error && error.value() != EEXIST) return fail_errno(error.value(), at.string());
  return {};
}

}  // namespace

Snapshot neutral_snapshot(const Taken& taken, const std::set<Pid>& kept, Neutral& neutral,
                          const SnapshotLimits& limits) {
  Snapshot made;
  std::size_t whole = 0;
  for (const auto& [path, file] : taken.files) {
    const auto pid = process_of(path);
    if (pid && (!kept.contains(*pid) || is_other_descriptor(path, file))) continue;
    if (path.empty() || path == "/") continue;
    TakenFile neutral_file = file;
    if (file.read) neutral_file.content = neutral_content(path, file.content, neutral);
    neutral_file.target = neutral.path(file.target);
    const std::size_t size = neutral_file.content.size();
    if (size > limits.file || whole + size > limits.whole) {
      made.left_out.push_back(
          fmt::format("{}: {} find no room in a snapshot", neutral.path(path), bytes_text(size)));
      continue;
    }
    whole += size;
    made.taken.files[neutral.path(path)] = std::move(neutral_file);
  }
  add_untold_descriptors(taken, kept, made.taken);
  for (const auto& [what, code] : taken.errors) {
    const auto pid = process_of(what.substr(what.find(' ') + 1));
    if (pid && !kept.contains(*pid)) continue;
    made.taken.errors[neutral.path(what)] = code;
    made.left_out.push_back(fail_errno(code, neutral.path(what)).error().message);
  }
  for (const auto& [path, held] : taken.locks) made.taken.locks[path] = held;
  for (TakenAnswer answer : taken.answers) {
    answer.end.output = neutral.text(answer.end.output);
    answer.end.errors = neutral.text(answer.end.errors);
    for (std::string& word : answer.argv) word = neutral.text(word);
    made.taken.answers.push_back(std::move(answer));
  }
  made.taken.now_ns = taken.now_ns;
  made.taken.wall_clock = taken.wall_clock;
  return made;
}

Result<void> write_snapshot(const Snapshot& snapshot, const std::string& folder) {
  std::error_code error;
  const auto root = std::filesystem::absolute(folder, error);
  if (error) return fail_errno(error.value(), folder);
  const bool made = std::filesystem::create_directory(root, error);
  if (error) return fail_errno(error.value(), folder);
  if (!made) return fail_errno(EEXIST, folder);
  // Its maker alone decides who sees it.
  std::filesystem::permissions(root, std::filesystem::perms::owner_all, error);
  if (error) return fail_errno(error.value(), folder);
  for (const auto& [path, file] : snapshot.taken.files) TRY(write_one(root / path.substr(1), file));
  const std::string beside =
      beside_files(snapshot.taken).dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  return write_one(root.string() + kBesideFiles,
                   {.kind = FileInfo::Kind::file, .content = beside + "\n", .target = {}, .read = true});
}

}  // namespace interlock::cli
