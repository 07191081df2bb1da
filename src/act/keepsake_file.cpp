#include "act/keepsake_file.h"

#include "act/own_file.h"
#include "host/paths.h"
#include "model/state_text.h"

namespace interlock::act {

Result<Keepsake> read_keepsake(Host& host, Vmid vmid) {
  const std::string path = paths::keepsake(vmid);
  const auto text = host.read_file(path);
  if (!text && is_missing(text.error())) return Keepsake{};
  if (!text) return std::unexpected(text.error());
  return in_context(parse_keepsake(*text), path);
}

Result<void> write_keepsake(Host& host, Vmid vmid, const Keepsake& keepsake) {
  const std::string path = paths::keepsake(vmid);
  if (keepsake == Keepsake{}) return remove_own_file(host, path);
  return write_own_file(host, path, keepsake_text(keepsake));
}

}  // namespace interlock::act
