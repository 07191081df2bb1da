#include "daemon/policy_source.h"

#include <filesystem>

#include "base/text.h"
#include "host/linux_host.h"
#include "host/paths.h"
#include "policy/load.h"

namespace interlock::daemon {
namespace {

constexpr mode_t kForAll = 0644;
constexpr mode_t kFolder = 0755;

/// A card's PCI folder is there whatever its driver does.
Result<void> some_card_is_here(Host& host, const Policy& policy) {
  std::vector<std::string> names;
  for (const PolicyCard& card : policy.cards) {
    const auto folder = host.info(paths::pci_device(card.pci), true);
    // What cannot be asked may be there: it will be blind, and reported.
    if (folder || !is_missing(folder.error())) return {};
    names.push_back(fmt::format("{} at {}", card.id.text(), card.pci.text()));
  }
  return fail("{}: none of its cards is in this machine ({}); correct their addresses", policy.file,
              joined(names, ", "));
}

}  // namespace

Result<std::string> PolicySource::text() {
  if (named_.empty()) return host_.read_file(paths::kPolicy);
  // A file that the caller names is the caller's: no root is put before it.
  std::error_code error;
  const auto path = std::filesystem::absolute(named_, error);
  if (error) return fail_errno(error.value(), named_);
  const auto plain = TRY(make_linux_host("/"));
  return plain->read_file(path.string());
}

Result<Policy> PolicySource::parse(const std::string& text, const std::string& file) {
  auto policy = load_policy(text, file);
  if (!policy) {
    std::vector<std::string> sentences;
    for (const PolicyError& error : policy.error()) sentences.push_back(error.text());
    return fail("{}", joined(sentences, "\n"));
  }
  TRY(some_card_is_here(host_, *policy));
  return *std::move(policy);
}

Result<Policy> PolicySource::load() {
  const std::string content = TRY(text());
  return parse(content, named_.empty() ? paths::kPolicy : named_);
}

Result<PolicyChoice> PolicySource::load_or_kept() {
  auto policy = load();
  if (policy) return PolicyChoice{*std::move(policy), {}};
  if (!named_.empty()) return std::unexpected(policy.error());
  const auto kept = host_.read_file(paths::kKeptPolicy);
  if (!kept)
    return std::unexpected(policy.error());  // what is wrong with the policy itself is what must be mended
  auto last_good = parse(*kept, paths::kKeptPolicy);
  if (!last_good) return std::unexpected(policy.error());
  return PolicyChoice{*std::move(last_good), policy.error().message};
}

Result<void> PolicySource::keep(const Policy& policy) {
  if (!named_.empty()) return {};
  const auto kept = host_.read_file(paths::kKeptPolicy);
  if (kept && *kept == policy.text) return {};
  TRY(host_.make_folder(paths::kState, kFolder));
  return host_.replace_file(paths::kKeptPolicy, policy.text, kForAll, Durability::synced);
}

}  // namespace interlock::daemon
