#include "policy/load.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "policy/reader.h"
#include "policy/sections.h"

namespace interlock {
namespace {

void read_version(const Entry& entry) {
  constexpr std::int64_t kVersion = 1;
  const auto version = entry.number(1, INT32_MAX);
  if (version && *version != kVersion) {
    entry.reject(fmt::format("this program understands version {}, and the policy is of version {}", kVersion,
                             *version));
  }
}

void read_policy(const Entry& root, Draft& draft) {
  const auto sections = root.fields({"version", "cards", "guard", "timing", "containers", "cutovers"});
  if (!sections) return;
  if (const Entry* version = sections->need("version")) read_version(*version);
  if (const Entry* cards = sections->need("cards")) read_cards(*cards, draft);
  if (const Entry* guard = sections->need("guard")) read_guard(*guard, draft);
  if (const Entry* timing = sections->find("timing")) read_timing(*timing, draft);
  if (const Entry* containers = sections->find("containers")) read_containers(*containers, draft);
  if (const Entry* cutovers = sections->find("cutovers")) read_cutovers(*cutovers, draft);
}

}  // namespace

std::string PolicyError::text() const {
  return line == 0 ? fmt::format("{}: {}", file, message)
                   : fmt::format("{}:{}:{}: {}", file, line, column, message);
}

std::expected<Policy, std::vector<PolicyError>> load_policy(std::string_view text, std::string file) {
  Errors errors(file);
  Draft draft;
  if (const auto root = parse_yaml(text, errors)) read_policy(*root, draft);
  if (errors.count() > 0) return std::unexpected(errors.sorted());
  draft.policy.file = std::move(file);
  draft.policy.text = text;
  draft.policy.digest = sha256_hex(text);
  return std::move(draft.policy);
}

}  // namespace interlock
