#include "act/own_file.h"

namespace interlock::act {
namespace {

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

Result<void> write_own_file(Host& host, const std::string& path, std::string_view text) {
  TRY(in_context(host.make_folder(folder_of(path), 0700), folder_of(path)));
  const auto written = host.replace_file(path, text, 0600, Durability::synced);
  const auto now = host.read_file(path);
  if (now && *now == text && written) return {};
  if (!written) return in_context(written, path);
  if (!now) return std::unexpected(in_context(now.error(), fmt::format("{}, read back", path)));
  return fail("{}: what is read back is not what was written", path);
}

Result<void> remove_own_file(Host& host, const std::string& path) {
  const auto removed = host.remove_file(path);
  const auto now = host.info(path);
  if (!now && is_missing(now.error())) return {};
  if (!removed) return in_context(removed, path);
  if (!now) return std::unexpected(in_context(now.error(), path));
  return fail("{}: still there after it was removed", path);
}

}  // namespace interlock::act
