#include "mocks/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <functional>

#include "base/text.h"

namespace interlock::mocks {
namespace views {

Node file(std::string text, unsigned mode) {
  Node node;
  node.kind = Node::Kind::file;
  node.text = std::move(text);
  node.mode = mode;
  return node;
}

Node folder(std::vector<std::string> names) {
  Node node;
  node.kind = Node::Kind::folder;
  std::ranges::sort(names);
  const auto twice = std::ranges::unique(names);
  names.erase(twice.begin(), twice.end());
  node.names = std::move(names);
  node.mode = 0755;
  return node;
}

Node link(std::string target) {
  Node node;
  node.kind = Node::Kind::link;
  node.target = std::move(target);
  node.mode = 0777;
  return node;
}

std::pair<std::string_view, std::string_view> first_name(std::string_view path) {
  const auto slash = path.find('/');
  if (slash == std::string_view::npos) return {path, {}};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace views

namespace {

/// The name that follows `folder` in `path`, if `path` is below it.
std::optional<std::string> child_of(std::string_view folder, std::string_view path) {
  if (!path.starts_with(folder)) return std::nullopt;
  path.remove_prefix(folder.size());
  if (folder != "/") {
    if (!path.starts_with('/')) return std::nullopt;
    path.remove_prefix(1);
  }
  if (path.empty()) return std::nullopt;
  return std::string(path.substr(0, path.find('/')));
}

template <class Each>
void stored_below(const Model& model, const std::string& folder, Each each) {
  const std::string from = folder == "/" ? folder : folder + "/";
  const auto walk = [&](const auto& range, auto name_of) {
    for (auto it = range.lower_bound(from); it != range.end() && name_of(*it).starts_with(from); ++it) {
      if (!each(name_of(*it))) return;
    }
  };
  walk(model.files, [](const auto& entry) -> const std::string& { return entry.first; });
  walk(model.links, [](const auto& entry) -> const std::string& { return entry.first; });
  walk(model.folders, [](const std::string& entry) -> const std::string& { return entry; });
}

Node stored(const Model& model, const std::string& path, Ask ask) {
  if (const auto found = model.files.find(path); found != model.files.end()) {
    Node node = views::file(ask == Ask::content ? found->second.text : std::string{}, found->second.mode);
    node.inode = found->second.version;
    return node;
  }
  if (const auto found = model.links.find(path); found != model.links.end()) {
    Node node = views::link(found->second);
    if (path == "/etc/pve/local" && !model.quorate) node.mode = 0555;
    return node;
  }
  std::vector<std::string> names;
  bool there = model.folders.contains(path) || path == "/";
  stored_below(model, path, [&](const std::string& entry) {
    there = true;
    if (ask == Ask::content) names.push_back(*child_of(path, entry));
    return ask == Ask::content;
  });
  return there ? views::folder(std::move(names)) : Node{};
}

Node computed(const Model& model, std::string_view path, Ask ask) {
  if (path == "/sys" || path.starts_with("/sys/"))
    return views::sys(model, path.substr(std::min<std::size_t>(5, path.size())), ask);
  if (path == "/proc" || path.starts_with("/proc/"))
    return views::proc(model, path.substr(std::min<std::size_t>(6, path.size())), ask);
  if (path == "/dev" || path.starts_with("/dev/"))
    return views::dev(model, path.substr(std::min<std::size_t>(5, path.size())), ask);
  return {};
}

Node plain_node(const Model& model, const std::string& path, Ask ask) {
  if (path == "/etc/pve" || path.starts_with("/etc/pve/")) {
    if (!model.pve_mounted) return path == "/etc/pve" ? views::folder({}) : Node{};
    return stored(model, path, ask);
  }
  Node node = computed(model, path, ask);
  if (node.kind == Node::Kind::missing) return stored(model, path, ask);
  if (node.kind == Node::Kind::folder && ask == Ask::content) {
    const Node more = stored(model, path, ask);
    if (!more.names.empty()) {
      node.names.insert(node.names.end(), more.names.begin(), more.names.end());
      node = views::folder(std::move(node.names));
    }
  }
  if (path == "/" && ask == Ask::content) {
    node.names.insert(node.names.end(), {"dev", "proc", "sys"});
    node = views::folder(std::move(node.names));
  }
  return node;
}

/// Most names are never a link: asking each for its node would cost more than the rest of a look.
bool may_be_link(const Model& model, std::string_view path) {
  if (!model.overrides.empty()) return true;
  if (path.starts_with("/proc")) return path.contains("/fd/");
  if (path.starts_with("/dev/")) return path.starts_with("/dev/dri/by-path/");
  if (path.starts_with("/sys/")) {
    return path.starts_with("/sys/class/") || path.starts_with("/sys/bus/") ||
           path.starts_with("/sys/dev/") || path.ends_with("/driver") || path.ends_with("/device");
  }
  return std::ranges::any_of(model.links, [&](const auto& link) { return link.first == path; });
}

bool is_kernels(std::string_view path) {
  return path.starts_with("/sys") || path.starts_with("/proc") || path.starts_with("/dev");
}

/// It is where it says already, as nearly every path is.
bool leads_straight(const Model& model, std::string_view path, bool follow) {
  if (!model.overrides.empty()) return false;
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    const char next = slash + 1 < path.size() ? path[slash + 1] : '/';
    if (next == '/' || next == '.') return false;
  }
  if (!is_kernels(path)) {
    return std::ranges::none_of(model.links, [&](const auto& link) {
      const std::string& name = link.first;
      return path.starts_with(name) && (path.size() == name.size() ? follow : path[name.size()] == '/');
    });
  }
  if (path.starts_with("/proc") && !path.contains("/fd/")) return true;
  for (auto slash = path.find('/', 1); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (may_be_link(model, path.substr(0, slash))) return false;
  }
  return !follow || !may_be_link(model, path);
}

}  // namespace

Node node_at(const Model& model, const std::string& path, Ask ask) {
  Node node = plain_node(model, path, ask);
  if (node.inode == 0 && node.kind != Node::Kind::missing) node.inode = std::hash<std::string>{}(path) | 1;
  if (model.overrides.empty()) return node;
  const auto found = model.overrides.find(path);
  if (found == model.overrides.end()) return node;
  if (found->second.error == ENOENT) return {};
  if (node.kind == Node::Kind::missing) node = views::file({});
  node.error = found->second.error;
  node.hangs = found->second.hangs;
  if (node.kind == Node::Kind::file) node.text = found->second.text;
  return node;
}

std::optional<std::string> resolved(const Model& model, const std::string& path, bool follow) {
  if (leads_straight(model, path, follow)) return path;
  std::string done;
  std::string left = path;
  std::size_t at = 0;
  int links = 0;
  while ((at = left.find_first_not_of('/', at)) != std::string::npos) {
    const std::size_t end = std::min(left.find('/', at), left.size());
    const std::string_view name = std::string_view(left).substr(at, end - at);
    at = end;
    if (name == ".") continue;
    if (name == "..") {
      done.erase(done.empty() ? 0 : done.rfind('/'));
      continue;
    }
    const std::size_t folder = done.size();
    (done += '/') += name;
    const bool last = left.find_first_not_of('/', end) == std::string::npos;
    if ((last && !follow) || !may_be_link(model, done)) continue;
    const Node node = node_at(model, done, Ask::kind);
    if (node.kind != Node::Kind::link) continue;
    if (++links > 40) return std::nullopt;
    done.erase(node.target.starts_with('/') ? 0 : folder);
    left = node.target + left.substr(end);
    at = 0;
  }
  return done.empty() ? "/" : done;
}

}  // namespace interlock::mocks
