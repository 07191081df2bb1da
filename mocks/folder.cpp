#include "mocks/folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/text.h"
#include "host/linux_host.h"
#include "mocks/disk.h"
#include "mocks/state_json.h"

namespace interlock::mocks {
namespace {

constexpr Duration kPoll = std::chrono::milliseconds(2);
constexpr Duration kLongestPoll = std::chrono::milliseconds(20);
constexpr std::string_view kCgroups = "/sys/fs/cgroup";

/// Stored files that belong to the model; the rest is written once, and then the product's own.
bool is_kept(const std::string& path) {
  return path.starts_with("/etc/pve/") || path.starts_with("/var/lib/lxc/") || path.starts_with("/sys/");
}

bool is_temporary(const std::string& path) {
  return path.find(".tmp.") != std::string::npos || path.find(".mock.") != std::string::npos;
}

std::optional<int> vmid_of(const std::string& config) {
  const auto slash = config.rfind('/');
  if (!config.substr(0, slash).ends_with("/lxc") || !config.ends_with(".conf")) return std::nullopt;
  return parse_number<int>(std::string_view(config).substr(slash + 1, config.size() - slash - 6));
}

}  // namespace

Instant real_time() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return Instant{std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)};
}

Result<void> Folder::make(const std::string& root, Model model) {
  TRY(disk::make_folders(root + "/.mock"));
  Folder folder(root);
  folder.lock_ = TRY(disk::lock(root + "/.mock/lock", true));
  model.now = real_time();
  model.booted_at = ::time(nullptr) - to_ns(model.now) / 1'000'000'000;
  for (const std::string& path : model.folders) TRY(disk::make_folders(root + path));
  for (const auto& [path, target] : model.links) {
    TRY(disk::make_folders(root + path.substr(0, path.rfind('/'))));
    std::string relative = target;
    if (target.starts_with('/')) {
      relative.clear();
      for (auto depth = std::ranges::count(path, '/') - 1; depth > 0; --depth) relative += "../";
      relative += target.substr(1);
    }
    TRY(disk::make_link(relative, root + path));
  }
  for (const auto& [path, file] : model.files) {
    TRY(disk::make_folders(root + path.substr(0, path.rfind('/'))));
    TRY(disk::replace(root + path, file.text, file.mode));
  }
  std::erase_if(model.files, [](const auto& entry) { return !is_kept(entry.first); });
  std::erase_if(model.folders, [](const std::string& path) { return !is_kept(path); });
  folder.model = std::move(model);
  folder.stored_ = folder.model.files;
  folder.damaged_ = true;
  TRY(folder.publish());
  folder.boot({});
  folder.barrier();
  return folder.close();
}

Result<std::unique_ptr<Folder>> Folder::open(const std::string& root) {
  std::unique_ptr<Folder> folder(new Folder(root));
  TRY(folder->load());
  return folder;
}

Result<void> Folder::load() {
  auto lock = TRY(disk::lock(root_ + "/.mock/lock", true));
  lock_ = std::move(lock);
  auto state = disk::read(root_ + "/.mock/state.json");
  if (!state) return std::unexpected(in_context(std::move(state).error(), "no mocked host is here"));
  model = TRY(from_state(*state));
  shown_ = tree_of(model);
  stored_ = model.files;
  damaged_ = ::access((root_ + "/.mock/unfinished").c_str(), F_OK) == 0;
  return take_in();
}

Result<void> Folder::take_in() {
  constexpr std::size_t kMostLost = 3;
  take_in_files();
  take_in_controls();
  judge();
  // Whether the product has synced the database's log cannot be seen here: the last few writes may always be
  // lost.
  while (model.unsynced.size() > kMostLost) model.unsynced.erase(model.unsynced.begin());
  advance(real_time());
  return {};
}

/// Configurations that were edited, removed or made by hand.
void Folder::take_in_files() {
  std::set<std::string> there;
  for (const std::string top : {"/etc/pve", "/var/lib/lxc"}) {
    for (const std::string& place : disk::files_below(root_ + top)) {
      const std::string path = place.substr(root_.size());
      if (is_temporary(path)) continue;
      there.insert(path);
      auto text = disk::read(place);
      if (!text) continue;  // it went away while we looked
      const auto known = model.files.find(path);
      if (known != model.files.end() && known->second.text == *text) continue;
      store(path, *text, 0640);
      stored_[path] = model.files[path];
      const auto vmid = vmid_of(path);
      if (!vmid || model.container(*vmid) != nullptr) continue;
      Container added;
      added.vmid = *vmid;
      model.containers.push_back(std::move(added));
      std::ranges::sort(model.containers, {}, &Container::vmid);
    }
  }
  std::vector<std::string> gone;
  for (const auto& entry : model.files) {
    if (!there.contains(entry.first) && !entry.first.starts_with("/sys/")) gone.push_back(entry.first);
  }
  for (const std::string& path : gone) {
    erase(path);
    stored_.erase(path);
  }
}

/// What was written into cgroup.kill and cgroup.freeze since.
void Folder::take_in_controls() {
  const Tree shown = shown_;
  for (const auto& [path, node] : shown) {
    if (!path.starts_with(kCgroups) || node.kind != Node::Kind::file) continue;
    const std::string group = path.substr(kCgroups.size(), path.rfind('/') - kCgroups.size());
    if (path.ends_with("/cgroup.kill")) {
      const auto text = disk::read(root_ + path);
      if (!text || trimmed(*text) != "1") continue;
      must(disk::overwrite(root_ + path, "", 0644));
      kill_cgroup(group);
    } else if (path.ends_with("/cgroup.freeze")) {
      const auto text = disk::read(root_ + path);
      if (!text) continue;                   // removed by hand
      if (trimmed(*text).empty()) continue;  // it is being written
      const bool frozen = trimmed(*text) == "1";
      if (frozen != model.frozen.contains(group)) freeze_cgroup(group, frozen);
      shown_[path].text = *text;
    }
  }
}

Result<void> Folder::publish() {
  const Tree now = tree_of(model);
  TRY(disk::replace(root_ + "/.mock/unfinished", "", 0644));
  const std::string state = to_state(model).dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  TRY(disk::replace(root_ + "/.mock/state.json", state, 0644));
  for (const auto& [path, file] : stored_) {
    if (!model.files.contains(path)) TRY(disk::remove(root_ + path));
  }
  for (const auto& [path, file] : model.files) {
    const auto before = stored_.find(path);
    if (path.starts_with("/sys/") || (before != stored_.end() && before->second.text == file.text)) continue;
    TRY(disk::make_folders(root_ + path.substr(0, path.rfind('/'))));
    TRY(disk::replace(root_ + path, file.text, file.mode));
  }
  TRY(damaged_ ? show_all(root_, now) : show(root_, shown_, now));
  stored_ = model.files;
  shown_ = now;
  damaged_ = false;
  return disk::remove(root_ + "/.mock/unfinished");
}

Result<void> Folder::close() {
  judge();
  TRY(publish());
  lock_.reset();
  return {};
}

Result<void> Folder::yield(Duration time) {
  TRY(close());
  std::this_thread::sleep_for(time);
  return load();
}

/// The folder itself cannot be written or read any more: there is nothing that a mock could go on with.
void Folder::must(Result<void> result) {
  if (!result) throw std::runtime_error(result.error().message);
}

bool Folder::wait_until(const std::function<bool()>& done, Duration limit) {
  const Instant end = real_time() + limit;
  for (;;) {
    if (done()) return true;
    if (in_background) throw CommandTimedOut{};
    const Instant now = real_time();
    if (now >= end) return false;
    const auto event = next_event();
    const Duration until_event = event ? std::clamp(*event - now, kPoll, kLongestPoll) : kLongestPoll;
    must(yield(std::min(until_event, end - now)));
  }
}

bool Folder::take_lock(const std::string& path, Duration patience) {
  must(disk::make_folders(root_ + path.substr(0, path.rfind('/'))));
  return wait_until(
      [&] {
        auto got = disk::lock(root_ + path, false);
        if (!got || !*got) return false;
        locks_[path] = std::move(**got);
        return true;
      },
      patience);
}

std::optional<std::string> Folder::host_file(const std::string& path) {
  auto text = disk::read(root_ + path);
  if (!text) return std::nullopt;
  return *std::move(text);
}

std::optional<std::string> Folder::gate_refusal(int vmid) {
  constexpr Duration kDeadline = std::chrono::seconds(10);
  const std::string drop_in = "/etc/systemd/system/pve-container@.service.d";
  bool installed = false;
  for (const std::string& folder : {drop_in, std::string("/usr/share/lxc/config/common.conf.d")}) {
    for (const std::string& file : disk::files_below(root_ + folder)) {
      const auto text = disk::read(file);
      installed = installed || (text && text->find("gpu-interlock-gate") != std::string::npos);
    }
  }
  if (!installed || ::access((root_ + "/usr/sbin/gpu-interlock-gate").c_str(), X_OK) != 0)
    return std::nullopt;
  must(close());
  auto host = make_linux_host(root_);
  if (!host) throw std::runtime_error(host.error().message);
  const auto end = (*host)->run(
      {.argv = {"/usr/sbin/gpu-interlock-gate", std::to_string(vmid)}, .input = {}, .deadline = kDeadline});
  must(load());
  if (end && end->success()) return std::nullopt;
  return end ? std::string(trimmed(end->errors)) : end.error().message;
}

void Folder::before_guests() {
  if (!recover_) return;
  constexpr Duration kDeadline = std::chrono::minutes(1);
  must(close());
  auto host = make_linux_host(root_);
  if (!host) throw std::runtime_error(host.error().message);
  // Its exit status is the boot's business no more than systemd's: Wants=, never Requires=.
  static_cast<void>((*host)->run(
      {.argv = {"/usr/sbin/gpu-interlock", "recover", "--boot"}, .input = {}, .deadline = kDeadline}));
  must(load());
}

Result<void> Folder::reboot(const BootOptions& options, bool recover) {
  recover_ = recover;
  power_off(options);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root_ + "/run", error)) {
    TRY(disk::remove(entry.path().string()));
  }
  TRY(disk::make_folders(root_ + "/run/lock/lxc"));
  boot({.lost_writes = 0, .renumber = options.renumber});
  return {};
}

}  // namespace interlock::mocks
