#include "act/gate_install.h"

#include "host/paths.h"
#include "observe/gate_places.h"

namespace interlock::act {
namespace {

constexpr Duration kReloadDeadline = std::chrono::seconds(30);

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

Result<void> reload_systemd(Host& host) {
  const auto end =
      host.run({.argv = {paths::kSystemctl, "daemon-reload"}, .input = {}, .deadline = kReloadDeadline});
  if (!end && is_missing(end.error()) && host.rooted()) return {};  // a folder without a systemd
  if (!end) return std::unexpected(in_context(end.error(), "systemd was not told to read its units again"));
  if (!end->success()) return fail("systemd was not told to read its units again: {}", end->text());
  return {};
}

}  // namespace

Result<void> install_gate(Host& host) {
  for (const auto& place : observe::gate_places(host)) {
    if (place.installed == Truth::yes) continue;
    TRY(host.make_folder(folder_of(place.path), 0755));
    TRY(host.replace_file(place.path, place.content, 0644, Durability::synced));
  }
  return reload_systemd(host);
}

Result<void> remove_gate(Host& host) {
  for (const auto& place : observe::gate_places(host)) {
    auto removed = host.remove_file(place.path);
    if (!removed && !is_missing(removed.error())) return removed;
  }
  return reload_systemd(host);
}

}  // namespace interlock::act
