#include "act/gate_file.h"

#include <fmt/format.h>

#include "act/record.h"
#include "host/paths.h"

namespace interlock::act {
namespace {

constexpr mode_t kFolderMode = 0755;
constexpr mode_t kFileMode = 0644;

}  // namespace

Result<void> set_claim(Host& host, const Claim& claim) {
  TRY(host.make_folder(paths::kClaims, kFolderMode));
  return host.replace_file(paths::claim(claim.vmid), claim_text(claim), kFileMode, Durability::plain);
}

Result<void> give_allowance(Host& host, const Allowance& allowance) {
  TRY(record(host, fmt::format("the gate was opened once for container {}", allowance.vmid.text()),
             allowance.reason));
  TRY(host.make_folder(paths::kAllowances, kFolderMode));
  return host.replace_file(paths::allowance(allowance.vmid), allowance_text(allowance), kFileMode,
                           Durability::plain);
}

Result<void> use_up_allowance(Host& host, Vmid vmid) {
  auto removed = host.remove_file(paths::allowance(vmid));
  if (!removed && is_missing(removed.error())) return {};
  return removed;
}

}  // namespace interlock::act
