#include "cli/gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "act/gate_file.h"
#include "base/text.h"
#include "decide/gate.h"
#include "host/paths.h"
#include "observe/host_state.h"
#include "policy/load.h"

namespace interlock::cli {
namespace {

constexpr Duration kLockPatience = std::chrono::seconds(3);
constexpr Duration kUnitDeadline = std::chrono::seconds(1);

/// The policy, or the last good one while it is broken. Nothing: this host never had one.
std::optional<Policy> gate_policy(Host& host, std::vector<std::string>& remarks) {
  for (const char* path : {paths::kPolicy, paths::kKeptPolicy}) {
    const auto text = host.read_file(path);
    if (!text) {
      if (!is_missing(text.error())) remarks.push_back(text.error().message);
      continue;
    }
    auto policy = load_policy(*text, path);
    if (policy) return *std::move(policy);
    remarks.push_back(policy.error().front().text());
  }
  return std::nullopt;
}

/// Both units by which Proxmox starts a container say that they are not at it.
bool seen_inactive(Host& host, Vmid vmid) {
  const auto end = host.run({.argv = {paths::kSystemctl, "show", "--property=ActiveState", "--value",
                                      fmt::format("pve-container@{}.service", vmid.text()),
                                      fmt::format("pve-container-debug@{}.service", vmid.text())},
                             .input = {},
                             .deadline = kUnitDeadline});
  if (!end || !end->success()) return false;
  int answers = 0;
  for (const auto line : lines_of(end->output)) {
    if (trimmed(line).empty()) continue;
    if (line != "inactive" && line != "failed") return false;
    ++answers;
  }
  return answers == 2;
}

Result<std::vector<Claim>> claims_of(Host& host) {
  const auto names = host.list_folder(paths::kClaims);
  if (!names) {
    if (is_missing(names.error())) return std::vector<Claim>{};
    return std::unexpected(names.error());
  }
  std::vector<Claim> claims;
  for (const std::string& name : *names) {
    if (!Vmid::parse(name)) continue;  // a file that is being written
    const std::string path = std::string(paths::kClaims) + "/" + name;
    const auto text = host.read_file(path);
    if (!text && is_missing(text.error())) continue;  // gone meanwhile
    if (!text) return std::unexpected(text.error());
    auto claim = in_context(parse_claim(*text), path);
    if (!claim) return std::unexpected(claim.error());
    if (claim->by_unit && seen_inactive(host, claim->vmid)) continue;
    claims.push_back(*std::move(claim));
  }
  return claims;
}

std::optional<Allowance> allowance_of(Host& host, Vmid vmid, std::vector<std::string>& remarks) {
  const auto text = host.read_file(paths::allowance(vmid));
  if (!text) return std::nullopt;  // none was given; or none that can be read, which opens nothing
  auto allowance = parse_allowance(*text);
  if (allowance) return *std::move(allowance);
  remarks.push_back(allowance.error().message);
  return std::nullopt;
}

std::set<PciAddress> cards_at_start(const Container& container) {
  std::set<PciAddress> cards = container.cards();
  cards.insert(container.generated_cards.begin(), container.generated_cards.end());
  return cards;
}

/// From here on the container has a card to judge, and whatever cannot be told is a refusal.
Result<decide::GateAnswer> judge(Host& host, const Policy& policy, Vmid vmid, bool by_unit,
                                 std::vector<std::string>& remarks) {
  const HostState state =
      TRY(observe::look(host, policy, {.units = false, .all_holders = true, .samples = false}));
  const Container* container = state.container(vmid);
  if (container == nullptr) return decide::GateAnswer{};  // gone meanwhile: its start fails by itself
  decide::GateQuestion question{vmid, cards_at_start(*container), TRY(claims_of(host)),
                                allowance_of(host, vmid, remarks)};
  const decide::GateAnswer answer = decide::gate(question, state, policy);
  if (!answer.allow || answer.claimed.empty()) return answer;

  Claim claim{vmid, answer.claimed, state.boot_id, state.taken_at, by_unit, answer.opened};
  const auto own = std::ranges::find(question.claims, vmid, &Claim::vmid);
  // The unit's start comes by twice; what the first time told stays.
  if (own != question.claims.end() && own->by_unit) claim.by_unit = true;
  TRY(act::set_claim(host, claim));
  if (answer.opened) {
    TRY(act::use_up_allowance(host, vmid));
    remarks.push_back(
        fmt::format("container {} starts on a person's word: {}", vmid.text(),
                    question.allowance ? question.allowance->reason : "given for this start before"));
  }
  return answer;
}

}  // namespace

GateRefusal pass_gate(Host& host, Vmid vmid, bool by_unit) {
  GateRefusal refusal;
  const auto policy = gate_policy(host, refusal.remarks);
  if (!policy) return refusal;
  const auto container = observe::look_at_container(host, *policy, vmid, false);
  if (!container) {
    // Without a configuration it cannot start anyway; with one that cannot be read it may have any card.
    if (!is_missing(container.error())) refusal.reasons.push_back(container.error().message);
    return refusal;
  }
  if (decide::judged_cards(cards_at_start(*container), *policy).empty()) return refusal;

  const auto made = host.make_folder(paths::kRun, 0755);
  if (!made) {
    refusal.reasons.push_back(made.error().message);
    return refusal;
  }
  const auto lock = host.lock(paths::kGateLock, kLockPatience);
  if (!lock) {
    refusal.reasons.push_back(fmt::format(
        "another start is being judged, or the gate's lock cannot be had: {}", lock.error().message));
    return refusal;
  }
  const auto answer = judge(host, *policy, vmid, by_unit, refusal.remarks);
  if (answer) {
    refusal.reasons = answer->refusals;
  } else {
    refusal.reasons.push_back(answer.error().message);
  }
  return refusal;
}

}  // namespace interlock::cli
