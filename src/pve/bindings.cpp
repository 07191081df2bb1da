#include "pve/bindings.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "pve/lxc_lines.h"
#include "pve/property_string.h"

namespace interlock::pve {
namespace {

constexpr unsigned kDrmMajor = 226;  // kernel: Documentation/admin-guide/devices.txt
constexpr std::string_view kByPath = "/dev/dri/by-path/pci-";

bool numbered(std::string_view key, std::string_view prefix) {
  if (!key.starts_with(prefix) || key.size() == prefix.size()) return false;
  return key.substr(prefix.size()).find_first_not_of("0123456789") == std::string_view::npos;
}

bool has_dot_component(std::string_view path) {
  return std::ranges::any_of(split(path, '/'),
                             [](std::string_view piece) { return piece == "." || piece == ".."; });
}

/// Why Proxmox would refuse the value when the container starts. Nothing: it would not.
std::optional<std::string> device_flaw(const PropertyString& device) {
  const auto path = device.find("path");
  if (!path) return "it names no device";
  if (!path->starts_with("/dev/") || has_dot_component(*path)) return "the path must lie below /dev/";
  for (const std::string_view key : {"uid", "gid"}) {
    const auto id = device.find(key);
    if (id && !parse_number<std::uint32_t>(*id))
      return fmt::format("{} '{}' is not a number", key, printable(*id));
  }
  if (const auto mode = device.find("mode")) {
    const bool good =
        mode->size() == 4 && mode->front() == '0' && parse_number<unsigned>(*mode, 8).has_value();
    if (!good) return fmt::format("mode '{}' is not octal, like 0660", printable(*mode));
  }
  return std::nullopt;
}

/// Gathers what one section's `key: value` lines grant.
class KeyReader {
 public:
  KeyReader(Grants& out, Binding::When when, std::string origin)
      : out_(out), when_(when), origin_(std::move(origin)) {}

  /// Only the line that counts: the last of its key.
  void read(const ConfigSection& section, const std::set<std::string>& until_stop) {
    for (const ConfigLine& line : section.lines) {
      if (line.kind != ConfigLine::Kind::key || section.find(line.key) != &line) continue;
      if (numbered(line.key, "dev")) device(line, until_stop.contains(line.key));
      if (numbered(line.key, "mp") || line.key == "rootfs") mount_point(line, until_stop.contains(line.key));
      if (line.key == "hookscript" && when_ != Binding::When::latent) out_.unprovable.push_back(line.text);
    }
  }

 private:
  void device(const ConfigLine& line, bool until_stop) {
    const PropertyString property(line.value, "path");
    const auto path = property.find("path");
    const auto flaw = device_flaw(property);
    if (flaw && when_ != Binding::When::latent) {
      out_.ineffective.push_back(fmt::format("{}: {}; the container cannot start with it", line.text, *flaw));
    }
    if (!path || !path->starts_with('/')) return;
    Grant grant = made(Binding::Form::device, line, until_stop);
    grant.source = *path;
    grant.target = *path;
    out_.grants.push_back(grant);
    if (when_ == Binding::When::latent) return;
    DeviceRule rule;
    rule.allow = true;
    rule.type = 'c';
    rule.path = *path;
    rule.access = "rw";
    rule.line = line.text;
    out_.rules.push_back(rule);
  }

  void mount_point(const ConfigLine& line, bool until_stop) {
    const PropertyString property(line.value, "volume");
    const auto volume = property.find("volume");
    // What begins with /dev/ is mounted as a disk; only another absolute path is a bind.
    if (!volume || !volume->starts_with('/') || volume->starts_with("/dev/")) return;
    Grant grant = made(Binding::Form::mount_point, line, until_stop);
    grant.source = *volume;
    grant.target = line.key == "rootfs" ? "/" : property.find("mp").value_or("");
    grant.may_be_folder = true;
    out_.grants.push_back(grant);
  }

  Grant made(Binding::Form form, const ConfigLine& line, bool until_stop) const {
    Grant grant;
    grant.form = form;
    grant.when = when_;
    grant.line = line.text;
    grant.origin = origin_;
    grant.until_stop = until_stop;
    return grant;
  }

  Grants& out_;
  Binding::When when_;
  std::string origin_;
};

/// The rules allow a card's number although no grant brings that node: with mknod, a process can make it.
bool rules_allow_made_nodes(const Grants& grants) {
  std::set<std::string> sources;
  for (const Grant& grant : grants.grants) {
    if (grant.when != Binding::When::latent) sources.insert(grant.source);
  }
  std::vector<std::string> paths;
  std::set<unsigned> minors;
  for (const DeviceRule& rule : grants.rules) {
    if (rule.path.starts_with("/dev/dri/") && !sources.contains(rule.path)) paths.push_back(rule.path);
    if (rule.minor) minors.insert(*rule.minor);
  }
  // Each number that a rule names, one that none names, and each path under a number that no rule can name.
  unsigned unnamed = 0;
  while (minors.contains(unnamed)) ++unnamed;
  minors.insert(unnamed);
  constexpr unsigned kFirstForPaths = 1U << 20U;  // beyond the kernel's minors
  const NumberOf number_of = [&](const std::string& path) -> std::optional<DeviceNumber> {
    const auto found = std::ranges::find(paths, path);
    if (found == paths.end()) return std::nullopt;
    return DeviceNumber{kDrmMajor, kFirstForPaths + static_cast<unsigned>(found - paths.begin())};
  };
  for (unsigned index = 0; index < paths.size(); ++index) minors.insert(kFirstForPaths + index);
  return std::ranges::any_of(minors, [&](unsigned minor) {
    return rules_permit(grants.rules, false, {kDrmMajor, minor}, number_of);
  });
}

void finish(Grants& out, const LxcLines& lines) {
  out.unprivileged = out.unprivileged || lines.has_idmap();
  out.lxc_start_auto = lines.start_auto();
  out.may_make_nodes = !out.unprivileged && !lines.mknod_dropped() && rules_allow_made_nodes(out);
}

/// Keys that decide who gets a card: those of which the generated file must not hold others.
bool concerns_cards(std::string_view key) {
  return key == "lxc.mount.entry" || key == "lxc.mount.fstab" || key == "lxc.include" ||
         key == "lxc.autodev" || key.starts_with("lxc.cgroup2.devices.") || key.starts_with("lxc.cap.");
}

/// A line that Proxmox never writes of itself: it can only be left over from an earlier configuration.
bool only_from_a_configuration(const LxcLine& line) {
  if (line.key == "lxc.mount.entry") {
    const auto entry = parse_mount_entry(line.value);
    return entry &&
           (entry->source == "/" || entry->source == "/dev" || entry->source.starts_with("/dev/dri"));
  }
  if (line.key != "lxc.cgroup2.devices.allow") return false;
  const auto rule = parse_device_rule(line.value);
  return rule && (rule->everything || !rule->major || (*rule->major == kDrmMajor && !rule->minor));
}

}  // namespace

Grants grants_of(const ConfigFile& config, const TextOf& included) {
  Grants out;
  const ConfigLine* unprivileged = config.main().find("unprivileged");
  out.unprivileged = unprivileged != nullptr && truthy(unprivileged->value);
  const auto keys = pending_keys(config);
  KeyReader(out, Binding::When::now, "").read(config.main(), {keys.begin(), keys.end()});
  if (const auto* pending = config.pending())
    KeyReader(out, Binding::When::next_start, "").read(*pending, {});

  LxcLines lines(out, included);
  lines.read(config.main(), Binding::When::now);
  if (const auto* pending = config.pending()) lines.read(*pending, Binding::When::next_start);
  finish(out, lines);

  for (const ConfigSection* snapshot : config.snapshots()) {
    KeyReader(out, Binding::When::latent, snapshot->name).read(*snapshot, {});
    lines.read_latent(*snapshot);
  }
  for (const ConfigLine& line : config.main().lines) {
    if (line.kind == ConfigLine::Kind::broken && line.text.contains("/dev/dri")) {
      out.ineffective.push_back(line.text +
                                ": not a line that Proxmox understands; its next rewrite drops it");
    }
  }
  return out;
}

Grants generated_grants(std::string_view text, const TextOf& included) {
  Grants out;
  LxcLines lines(out, included);
  lines.read(native_lines(text), Binding::When::now, "");
  finish(out, lines);
  return out;
}

bool generated_is_stale(const ConfigFile& config, std::string_view generated) {
  const auto found = native_lines(generated);
  auto at = found.begin();
  for (const ConfigLine& wanted : config.main().lines) {
    if (wanted.kind != ConfigLine::Kind::raw || !concerns_cards(wanted.key)) continue;
    for (;; ++at) {
      if (at == found.end()) return true;
      if (at->key == wanted.key && at->value == wanted.value) break;
      if (only_from_a_configuration(*at)) return true;
    }
    ++at;
  }
  return std::any_of(at, found.end(), only_from_a_configuration);
}

bool permits(const Grants& grants, DeviceNumber number, const NumberOf& number_of) {
  return rules_permit(grants.rules, grants.unprivileged, number, number_of);
}

bool permitted(const Grants& grants, const Grant& grant, DeviceNumber number, const NumberOf& number_of) {
  return grant.when == Binding::When::latent || permits(grants, number, number_of);
}

std::optional<PciAddress> card_in_name(std::string_view path) {
  if (!path.starts_with(kByPath)) return std::nullopt;
  path.remove_prefix(kByPath.size());
  const auto end = path.rfind('-');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view kind = path.substr(end + 1);
  if (kind != "card" && kind != "render") return std::nullopt;
  return PciAddress::parse(path.substr(0, end));
}

}  // namespace interlock::pve
