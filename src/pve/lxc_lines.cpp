#include "pve/lxc_lines.h"

#include <algorithm>

#include "base/text.h"

namespace interlock::pve {
namespace {

constexpr std::string_view kOwnFiles = "/usr/share/lxc/config/";  // lxc's and Proxmox's: no card in them
constexpr std::size_t kDeepest = 8;

/// A file system of a kind that shows no host device by itself.
bool is_harmless(std::string_view type) {
  return type != "devtmpfs" && type != "overlay" && type != "overlayfs";
}

}  // namespace

std::vector<LxcLine> native_lines(std::string_view text) {
  std::vector<LxcLine> found;
  for (const std::string_view line : lines_of(text)) {
    const std::string_view content = trimmed(line);
    const auto equals = content.find('=');
    if (content.starts_with('#') || equals == std::string_view::npos) continue;
    const std::string_view key = trimmed(content.substr(0, equals));
    if (!key.starts_with("lxc.")) continue;
    found.push_back({std::string(line), std::string(key), std::string(trimmed(content.substr(equals + 1)))});
  }
  return found;
}

void LxcLines::read(const ConfigSection& section, Binding::When when) {
  std::vector<LxcLine> lines;
  for (const ConfigLine& line : section.lines) {
    if (line.kind == ConfigLine::Kind::raw) lines.push_back({line.text, line.key, line.value});
  }
  read(lines, when, "");
}

void LxcLines::read(const std::vector<LxcLine>& lines, Binding::When when, const std::string& origin) {
  for (const LxcLine& line : lines) take(line, when, origin);
}

void LxcLines::read_latent(const ConfigSection& snapshot) {
  for (const ConfigLine& line : snapshot.lines) {
    if (line.kind != ConfigLine::Kind::raw || line.key != "lxc.mount.entry") continue;
    take_mount({line.text, line.key, line.value}, Binding::When::latent, snapshot.name, false);
  }
}

void LxcLines::take(const LxcLine& line, Binding::When when, const std::string& origin) {
  const std::string_view key = line.key;
  if (key == "lxc.mount.entry") {
    take_mount(line, when, origin, !origin.empty());
  } else if (key == "lxc.mount.fstab" || key == "lxc.mount") {  // lxc.mount: its name before lxc 3
    take_fstab(line, when);
  } else if (key == "lxc.include") {
    take_include(line, when);
  } else if (key.starts_with("lxc.cgroup2.devices.") || key.starts_with("lxc.cgroup.devices.")) {
    take_rule(line);
  } else if (key == "lxc.cap.drop" || key == "lxc.cap.keep") {
    take_capabilities(line);
  } else if (key == "lxc.start.auto") {
    start_auto_ = truthy(line.value);
  } else if (key == "lxc.idmap" || key == "lxc.id_map") {
    has_idmap_ = true;
  } else if ((key.starts_with("lxc.hook.") && key != "lxc.hook.version") ||
             (key == "lxc.autodev" && line.value == "0")) {
    out_.unprovable.push_back(line.text);
  }
}

void LxcLines::take_mount(const LxcLine& line, Binding::When when, const std::string& origin, bool included) {
  const auto entry = parse_mount_entry(line.value);
  if (!entry) return;
  const bool all_devices = entry->type == "devtmpfs";
  if (entry->relative || (!entry->bind && !is_harmless(entry->type) && !all_devices)) {
    if (when != Binding::When::latent) out_.unprovable.push_back(line.text);
    return;
  }
  if (!entry->bind && !all_devices) return;
  Grant grant;
  grant.form = included ? Binding::Form::included : Binding::Form::mount_entry;
  grant.when = when;
  grant.line = line.text;
  grant.origin = origin;
  grant.source = all_devices ? "/dev" : entry->source;
  grant.target = entry->target;
  grant.may_be_folder = true;
  grant.optional = entry->optional;
  out_.grants.push_back(std::move(grant));
}

void LxcLines::take_fstab(const LxcLine& line, Binding::When when) {
  if (line.value.empty()) return;
  const auto text = included_(line.value);
  if (!text) {
    out_.unprovable.push_back(line.text);
    return;
  }
  for (const std::string_view entry : lines_of(*text)) {
    take_mount({std::string(entry), line.key, std::string(entry)}, when, line.value, true);
  }
}

void LxcLines::take_include(const LxcLine& line, Binding::When when) {
  if (line.value.starts_with(kOwnFiles) && !line.value.contains("/../")) return;
  const bool again = std::ranges::find(open_, line.value) != open_.end();
  const auto text = again || open_.size() >= kDeepest ? fail("included too deep") : included_(line.value);
  if (!text) {
    out_.unprovable.push_back(line.text);
    return;
  }
  open_.push_back(line.value);
  read(native_lines(*text), when, line.value);
  open_.pop_back();
}

void LxcLines::take_rule(const LxcLine& line) {
  const bool allow = line.key.ends_with(".allow");
  if (!allow && !line.key.ends_with(".deny")) return;
  auto rule = parse_device_rule(line.value);
  if (!rule) {
    out_.ineffective.push_back(line.text + ": not a device rule; the container cannot start with it");
    return;
  }
  rule->allow = allow;
  rule->version1 = line.key.starts_with("lxc.cgroup.");
  rule->line = line.text;
  out_.rules.push_back(std::move(*rule));
}

/// An empty value forgets the lines before it.
void LxcLines::take_capabilities(const LxcLine& line) {
  const auto names = words(line.value);
  const bool has_mknod = std::ranges::find(names, "mknod") != names.end();
  if (line.key == "lxc.cap.drop") {
    dropped_ = !names.empty() && (dropped_ || has_mknod);
  } else {
    kept_any_ = !names.empty();
    kept_ = !names.empty() && (kept_ || has_mknod);
  }
}

}  // namespace interlock::pve
