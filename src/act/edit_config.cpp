#include "act/edit_config.h"

#include <cerrno>
#include <chrono>

#include "base/digest.h"
#include "host/paths.h"
#include "pve/config.h"
#include "pve/edit.h"
#include "pve/pct_output.h"

namespace interlock::act {
namespace {

constexpr Duration kPatience = std::chrono::seconds(10);  // as long as pct itself waits (pct.md, 1.0)
constexpr mode_t kMode = 0640;  // what pmxcfs gives every file there (pct.md, section 3)

Result<void> seen_stopped(Host& host, Vmid vmid) {
  const std::string sockets = TRY(in_context(host.read_file(paths::kUnixSockets), paths::kUnixSockets));
  const auto running = TRY(pve::parse_running(sockets));
  if (running.contains(vmid)) return fail("container {} runs", vmid.text());
  return {};
}

Result<void> unchanged_and_unlocked(const Container& seen, const std::string& text) {
  if (sha1_hex(text) != seen.digest) return fail("somebody has changed it since it was looked at");
  const pve::ConfigFile config = pve::parse_config(text);
  const pve::ConfigLine* lock = config.main().find("lock");
  if (lock != nullptr) return fail("it is locked ({})", lock->value);
  return {};
}

/// Under Proxmox's lock.
Result<void> edit_locked(Host& host, const Container& seen, const ConfigEdit& edit, const std::string& path) {
  TRY(seen_stopped(host, seen.vmid));
  const std::string before = TRY(host.read_file(path));
  TRY(unchanged_and_unlocked(seen, before));
  const std::string after = pve::with_lines(pve::without_lines(before, edit.out), edit.in);
  if (after == before) return {};
  const auto written = host.replace_file(path, after, kMode, Durability::synced);
  const std::string now = TRY(in_context(host.read_file(path), "read back"));
  if (now == after) return {};
  if (!written) return written;
  return fail("what is read back is not what was written");
}

}  // namespace

Result<void> edit_config(Host& host, const Container& seen, const ConfigEdit& edit) {
  const std::string path = paths::container_config(seen.vmid);
  const auto lock = host.lock(paths::container_lock(seen.vmid), kPatience);
  if (!lock && lock.error().code == EWOULDBLOCK) {
    return fail("{}: Proxmox's lock of container {} is held by another for more than 10 s", path,
                seen.vmid.text());
  }
  if (!lock) return std::unexpected(in_context(lock.error(), paths::container_lock(seen.vmid)));
  return in_context(edit_locked(host, seen, edit, path), path);
}

Result<Settings> harmless_setting(const Container& container) {
  for (const char* key : {"onboot", "cores", "memory", "swap", "hostname", "ostype"}) {
    const auto found = container.settings.find(key);
    if (found != container.settings.end() && found->second) return Settings{*found};
  }
  return fail("container {} has no setting that could be set again as it is", container.vmid.text());
}

}  // namespace interlock::act
