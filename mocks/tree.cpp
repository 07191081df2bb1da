#include "mocks/tree.h"

#include <filesystem>
#include <system_error>

#include "mocks/disk.h"

namespace interlock::mocks {
namespace {

namespace fs = std::filesystem;

/// Files that a reader holds open, or writes to.
bool is_kept_open(const std::string& path) {
  return path.starts_with("/sys/devices/") || path.ends_with("/cgroup.kill") ||
         path.ends_with("/cgroup.freeze");
}

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.text == b.text && a.target == b.target && a.error == b.error &&
         a.hangs == b.hangs && a.minor == b.minor;
}

/// A plain file system cannot give an errno when a file is read: a folder in its place can, EISDIR.
bool as_folder(const Node& node) {
  if (node.kind == Node::Kind::folder) return true;
  const bool write_only = node.kind == Node::Kind::file && node.mode == 0200;
  return (node.error != 0 || node.hangs) && !write_only;
}

Result<void> write(const std::string& root, const std::string& path, const Node& node) {
  const std::string place = root + path;
  if (as_folder(node)) return disk::make_folders(place);
  if (node.kind == Node::Kind::link) return disk::make_link(node.target, place);
  if (node.kind == Node::Kind::device) return disk::replace(place, "", 0660);
  if (is_kept_open(path)) return disk::overwrite(place, node.text, 0644);
  return disk::replace(place, node.text, 0644);
}

void add(const Model& model, const std::string& path, Tree& tree) {
  Node node = node_at(model, path, Ask::content);
  if (node.kind == Node::Kind::missing) return;
  const std::vector<std::string> names =
      node.kind == Node::Kind::folder ? node.names : std::vector<std::string>{};
  tree.emplace(path, std::move(node));
  for (const std::string& name : names) add(model, path + "/" + name, tree);
}

}  // namespace

Tree tree_of(const Model& model) {
  Tree tree;
  for (const std::string top : {"/dev", "/proc", "/sys"}) add(model, top, tree);
  return tree;
}

Result<void> show(const std::string& root, const Tree& before, const Tree& now) {
  for (auto it = before.rbegin(); it != before.rend(); ++it) {
    const auto next = now.find(it->first);
    const bool gone = next == now.end();
    if (gone || as_folder(next->second) != as_folder(it->second)) TRY(disk::remove(root + it->first));
  }
  for (const auto& [path, node] : now) {
    const auto old = before.find(path);
    if (old != before.end() && same(old->second, node)) continue;
    TRY(write(root, path, node));
  }
  return {};
}

Result<void> show_all(const std::string& root, const Tree& now) {
  for (const std::string top : {"/dev", "/proc", "/sys"}) {
    std::vector<std::string> strangers;
    std::error_code error;
    for (fs::recursive_directory_iterator it(root + top, error), end; !error && it != end;
         it.increment(error)) {
      const std::string path = it->path().string().substr(root.size());
      if (!now.contains(path)) strangers.push_back(path);
    }
    for (const std::string& path : strangers) TRY(disk::remove(root + path));
  }
  for (const auto& [path, node] : now) TRY(write(root, path, node));
  return {};
}

}  // namespace interlock::mocks
