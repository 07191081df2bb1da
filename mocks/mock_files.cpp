// MockHost: looking at files and changing them.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "mocks/memory.h"
#include "mocks/mock_host.h"
#include "mocks/step.h"
#include "mocks/view.h"

namespace interlock::mocks {
namespace {

constexpr Duration kHungRead = std::chrono::minutes(1);

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

/// The node behind a path, or why it cannot be looked at.
Result<Node> node_behind(const Model& model, const std::string& path, bool follow, Ask ask) {
  const auto real = resolved(model, path, follow);
  Node node = real ? node_at(model, *real, ask) : Node{};
  if (node.kind == Node::Kind::missing) return fail_errno(ENOENT, fmt::format("cannot open {}", path));
  return node;
}

Result<std::string> text_of(const Model& model, const std::string& path) {
  Node node = TRY(node_behind(model, path, true, Ask::content));
  if (node.error != 0) return fail_errno(node.error, fmt::format("cannot read {}", path));
  if (node.hangs) return fail_errno(ETIMEDOUT, fmt::format("cannot read {}", path));
  if (node.kind == Node::Kind::folder) return fail_errno(EISDIR, fmt::format("cannot read {}", path));
  if (node.kind != Node::Kind::file) return fail_errno(EINVAL, fmt::format("cannot read {}", path));
  return std::move(node.text);
}

Result<std::vector<std::string>> names_of(const Model& model, const std::string& path) {
  Node node = TRY(node_behind(model, path, true, Ask::content));
  if (node.error != 0) return fail_errno(node.error, fmt::format("cannot list {}", path));
  if (node.kind != Node::Kind::folder) return fail_errno(ENOTDIR, fmt::format("cannot list {}", path));
  return std::move(node.names);
}

Result<FileInfo> info_of(const Model& model, const std::string& path, bool follow) {
  const Node node = TRY(node_behind(model, path, follow, Ask::kind));
  FileInfo info;
  info.mode = node.mode;
  info.inode = node.inode;
  info.device_major = node.major;
  info.device_minor = node.minor;
  switch (node.kind) {
    case Node::Kind::file:
      info.kind = FileInfo::Kind::file;
      break;
    case Node::Kind::folder:
      info.kind = FileInfo::Kind::folder;
      break;
    case Node::Kind::link:
      info.kind = FileInfo::Kind::link;
      break;
    default:
      info.kind = FileInfo::Kind::character_device;
  }
  return info;
}

std::string spoiled(std::string text) {
  text.resize(text.size() / 2);
  return text + "\xff\xfe?";
}

}  // namespace

template <class Value>
Result<Value> MockHost::look(OperationKind kind, const std::string& path,
                             const std::function<Result<Value>(const Model&)>& ask,
                             const std::function<Value(Value)>& spoil) {
  const std::lock_guard guard(mutex_);
  Step step(*this, kind, path, false);
  if (step.dead()) return fail_errno(EIO, path);
  const auto answer = [&]() -> Result<Value> {
    switch (step.fault()) {
      case Fault::Kind::hang:
        machine_->without_deadline([&] { machine_->pass(kHungRead); });
        return fail_errno(EIO, fmt::format("cannot read {}", path));
      case Fault::Kind::fail:
        return fail_errno(EIO, fmt::format("cannot read {}", path));
      case Fault::Kind::old:
        return ask(before_change_ ? *before_change_ : model());
      case Fault::Kind::garbage: {
        Value value = TRY(ask(model()));
        return spoil(std::move(value));
      }
      default:
        return ask(model());
    }
  };
  Result<Value> result = answer();
  step.finish();
  return result;
}

Result<std::string> MockHost::read_file(const std::string& path) {
  return look<std::string>(
      OperationKind::read_file, path, [&](const Model& model) { return text_of(model, path); }, spoiled);
}

Result<std::string> MockHost::read_start(const std::string& path, std::size_t most) {
  return look<std::string>(
      OperationKind::read_file, path,
      [&](const Model& model) -> Result<std::string> {
        std::string text = TRY(text_of(model, path));
        if (text.size() > most) text.resize(most);
        return text;
      },
      spoiled);
}

Result<std::vector<std::string>> MockHost::list_folder(const std::string& path) {
  return look<std::vector<std::string>>(
      OperationKind::list_folder, path, [&](const Model& model) { return names_of(model, path); },
      [](std::vector<std::string>) { return std::vector<std::string>{"\xff?"}; });
}

Result<std::vector<FolderEntry>> MockHost::list_with_info(const std::string& path) {
  return look<std::vector<FolderEntry>>(
      OperationKind::list_folder, path,
      [&](const Model& model) -> Result<std::vector<FolderEntry>> {
        std::vector<FolderEntry> entries;
        for (std::string& name : TRY(names_of(model, path))) {
          auto found = info_of(model, path + "/" + name, true);
          entries.push_back({std::move(name), std::move(found)});
        }
        return entries;
      },
      [](std::vector<FolderEntry>) {
        return std::vector<FolderEntry>{{"\xff?", fail_errno(EIO, "cannot look at it")}};
      });
}

Result<std::string> MockHost::read_link(const std::string& path) {
  return look<std::string>(
      OperationKind::read_link, path,
      [&](const Model& model) -> Result<std::string> {
        Node node = TRY(node_behind(model, path, false, Ask::kind));
        if (node.error != 0) return fail_errno(node.error, fmt::format("cannot read the link {}", path));
        if (node.kind != Node::Kind::link)
          return fail_errno(EINVAL, fmt::format("cannot read the link {}", path));
        return std::move(node.target);
      },
      spoiled);
}

Result<std::string> MockHost::real_path(const std::string& path) {
  return look<std::string>(
      OperationKind::real_path, path,
      [&](const Model& model) -> Result<std::string> {
        static_cast<void>(TRY(node_behind(model, path, true, Ask::kind)));  // it must be there
        return *resolved(model, path, true);
      },
      spoiled);
}

Result<FileInfo> MockHost::info(const std::string& path, bool follow) {
  return look<FileInfo>(
      OperationKind::info, path, [&](const Model& model) { return info_of(model, path, follow); },
      [](FileInfo) { return FileInfo{}; });
}

Result<bool> MockHost::is_locked(const std::string& path) {
  return look<bool>(
      OperationKind::is_locked, path,
      [&](const Model& model) -> Result<bool> {
        const auto real = resolved(model, path, true);
        return real && model.locks.contains(*real);
      },
      [](bool locked) { return !locked; });
}

/// The path without links, if a file can be made there.
Result<std::string> MockHost::writable(const std::string& path) const {
  const auto real = resolved(model(), path, true);
  const std::string what = fmt::format("cannot write {}", path);
  if (!real) return fail_errno(ELOOP, what);
  const Node parent = node_at(model(), parent_of(*real), Ask::kind);
  if (parent.kind == Node::Kind::missing) return fail_errno(ENOENT, what);
  if (parent.kind != Node::Kind::folder) return fail_errno(ENOTDIR, what);
  if (real->starts_with("/etc/pve/") && !model().quorate) return fail_errno(EACCES, what);
  if (real->starts_with("/var/lib/") && model().disk_full) return fail_errno(ENOSPC, what);
  for (const std::string_view kernel : {"/sys/", "/proc/", "/dev/"}) {
    if (real->starts_with(kernel)) return fail_errno(EACCES, what);
  }
  return *real;
}

Result<void> MockHost::change(OperationKind kind, const std::string& path,
                              const std::function<Result<void>()>& effect, const std::function<void()>& half,
                              std::string_view content) {
  const std::lock_guard guard(mutex_);
  Step step(*this, kind, path, true, content);
  if (step.dead()) return fail_errno(EIO, path);
  const auto struck = [&] { return fail_errno(EIO, fmt::format("cannot write {}", path)); };
  Result<void> result;
  switch (step.fault()) {
    case Fault::Kind::fail:
      result = struck();
      break;
    case Fault::Kind::no_effect:
      break;
    case Fault::Kind::half:
      if (half) half();
      result = struck();
      break;
    case Fault::Kind::hang:
      machine_->without_deadline([&] { machine_->pass(kHungRead); });
      result = struck();
      break;
    case Fault::Kind::killed_half:
      if (half) half();
      step.die();
    default:
      result = effect();
      if (step.fault() == Fault::Kind::fail_after) result = struck();
      if (step.fault() == Fault::Kind::undone_later) {
        machine_->take_back_later(resolved(model(), path, true).value_or(path), before_change_);
      }
  }
  step.finish();
  return result;
}

Result<void> MockHost::replace_file(const std::string& path, std::string_view content, mode_t mode,
                                    Durability) {
  const auto leave_beside = [&] {
    if (const auto real = writable(path)) machine_->store(*real + ".tmp.900", std::string(content), mode);
  };
  return change(
      OperationKind::replace_file, path,
      [&]() -> Result<void> {
        const std::string real = TRY(writable(path));
        machine_->store(real, std::string(content), real.starts_with("/etc/pve/") ? 0640 : mode);
        return {};
      },
      leave_beside, content);
}

Result<void> MockHost::append_file(const std::string& path, std::string_view content) {
  const auto append = [&](std::string_view what) -> Result<void> {
    const std::string real = TRY(writable(path));
    const auto found = model().files.find(real);
    std::string text = found == model().files.end() ? std::string{} : found->second.text;
    machine_->store(real, text.append(what), 0600);
    return {};
  };
  return change(
      OperationKind::append_file, path, [&] { return append(content); },
      [&] {
        static_cast<void>(
            append(content.substr(0, content.size() / 2)));  // the whole of it has failed already
      },
      content);
}

Result<void> MockHost::write_control(const std::string& path, std::string_view content) {
  return change(OperationKind::write_control, path, [&]() -> Result<void> {
    static_cast<void>(TRY(node_behind(model(), path, true, Ask::kind)));  // it must be there
    const std::string real = *resolved(model(), path, true);
    constexpr std::string_view kTop = "/sys/fs/cgroup";
    const std::string what = fmt::format("cannot write {}", path);
    if (!real.starts_with(kTop)) return fail_errno(EACCES, what);
    const std::string group = parent_of(real).substr(kTop.size());
    const bool one = content == "1" || content == "1\n";
    if (!one && content != "0" && content != "0\n") return fail_errno(EINVAL, what);
    if (real.ends_with("/cgroup.kill") && one) {
      machine_->kill_cgroup(group);
    } else if (real.ends_with("/cgroup.freeze")) {
      machine_->freeze_cgroup(group, one);
    } else {
      return fail_errno(EINVAL, what);
    }
    return {};
  });
}

Result<void> MockHost::remove_file(const std::string& path) {
  return change(OperationKind::remove_file, path, [&]() -> Result<void> {
    const auto real = resolved(model(), path, false);
    if (!real || (!model().files.contains(*real) && !model().links.contains(*real))) {
      return fail_errno(ENOENT, fmt::format("cannot remove {}", path));
    }
    if (real->starts_with("/etc/pve/") && !model().quorate)
      return fail_errno(EACCES, fmt::format("cannot remove {}", path));
    machine_->erase(*real);
    model().links.erase(*real);
    return {};
  });
}

Result<void> MockHost::make_folder(const std::string& path, mode_t) {
  return change(OperationKind::make_folder, path, [&]() -> Result<void> {
    const auto real = resolved(model(), path, true);
    if (!real) return fail_errno(ELOOP, fmt::format("cannot make the folder {}", path));
    const Node there = node_at(model(), *real, Ask::kind);
    if (there.kind == Node::Kind::folder) return {};
    if (there.kind != Node::Kind::missing)
      return fail_errno(ENOTDIR, fmt::format("{} is not a folder", path));
    if (real->starts_with("/var/lib/") && model().disk_full)
      return fail_errno(ENOSPC, fmt::format("cannot make {}", path));
    model().folders.insert(*real);
    return {};
  });
}

Result<void> MockHost::sync_file(const std::string& path) {
  return change(OperationKind::sync_file, path, [&]() -> Result<void> {
    static_cast<void>(TRY(node_behind(model(), path, true, Ask::kind)));  // it must be there
    if (path.ends_with("/config.db-wal")) machine_->barrier();
    return {};
  });
}

}  // namespace interlock::mocks
