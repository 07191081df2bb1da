#include "act/undertaking.h"

#include <cerrno>
#include <chrono>

#include "host/paths.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

constexpr Duration kPatience = std::chrono::seconds(1);

}  // namespace

std::expected<std::unique_ptr<HeldLock>, CutoverReport> take_cutover_lock(Host& host) {
  if (const auto made = host.make_folder(paths::kRun, 0755); !made) {
    return std::unexpected(error_report(in_context(made.error(), paths::kRun).message));
  }
  auto lock = host.lock(paths::kCutoverLock, kPatience);
  if (lock) return *std::move(lock);
  CutoverReport report = error_report(in_context(lock.error(), paths::kCutoverLock).message);
  if (lock.error().code != EWOULDBLOCK) return std::unexpected(std::move(report));
  report.result = CutoverResult::busy;
  report.error = "another cutover is at work: `gpu-interlock status` shows it";
  return std::unexpected(std::move(report));
}

std::optional<std::string> no_pct(Host& host) {
  const auto info = host.info(paths::kPct, true);
  if (info) return std::nullopt;
  return fmt::format("{}: {}: this is no Proxmox VE host, or it is not whole", paths::kPct,
                     info.error().message);
}

Result<HostState> look_as_holder(Host& host, const Policy& policy) {
  auto state = observe::look(host, policy);
  if (state && state->cutover) {
    state->cutover->attended = false;
    state->cutover->state = "interrupted";
  }
  return state;
}

CutoverReport error_report(std::string why) {
  CutoverReport report;
  report.result = CutoverResult::error;
  report.error = std::move(why);
  return report;
}

std::set<PciAddress> cards_of(const HostState& state, const Policy& policy, const Target& target) {
  std::set<PciAddress> cards;
  for (const auto& [vmid, want] : target.wants) {
    if (want.cards) cards.insert(want.cards->begin(), want.cards->end());
    const Container* container = state.container(vmid);
    if (container == nullptr) continue;
    for (const PolicyCard& card : policy.cards) {
      if (container->binds(card.pci)) cards.insert(card.pci);
    }
  }
  return cards;
}

}  // namespace interlock::act
