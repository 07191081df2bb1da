// see_card_free: nobody has the card open, its memory is back, and nothing of the stopped containers is left
// (S01, S09).
#include <algorithm>
#include <chrono>

#include "act/objection.h"
#include "act/step.h"
#include "act/stopped.h"
#include "base/text.h"
#include "host/paths.h"
#include "observe/holders.h"
#include "observe/host_state.h"

namespace interlock::act {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPause = 500ms;

std::string named(const Holder& holder) {
  const std::string unit = holder.place.unit ? holder.place.unit->text() : "no unit";
  const std::string where =
      holder.place.container ? "container " + holder.place.container->text() : "the host";
  return fmt::format("{} (pid {}, {}, {})", printable(holder.command), holder.process.pid, where, unit);
}

/// Nothing: no process has it open, anywhere.
std::optional<std::string> open_by(Run& run, const PciAddress& card) {
  const auto found = observe::find_holders(run.host, observe::card_nodes(run.host),
                                           run.policy.guard.idle_memory, std::nullopt);
  if (!found) return found.error().message;
  std::vector<std::string> names;
  for (const Holder& holder : found->holders) {
    if (holder.card == card) names.push_back(named(holder));
  }
  if (!names.empty()) return "it is held by " + joined(names, ", ");
  if (!found->unknown.empty()) {
    return fmt::format("process {} may not be looked into, and may hold it: {}", found->unknown.front().pid,
                       found->unknown.front().why);
  }
  return std::nullopt;
}

/// Nothing: at its idle floor. A card that sleeps has no power for its memory (11.5).
std::optional<std::string> memory_in_use(Run& run, const PciAddress& card) {
  const std::string device = paths::pci_device(card);
  const auto status = run.host.read_file(device + "/power/runtime_status");
  if (status && trimmed(*status) == "suspended") return std::nullopt;
  const auto text = run.host.read_file(device + "/mem_info_vram_used");
  if (!text) return in_context(text.error(), "its memory").message;
  const auto used = parse_number<Bytes>(trimmed(*text));
  if (!used) return fmt::format("its memory in use is no number: \"{}\"", printable(*text));
  if (*used <= run.policy.guard.idle_floor) return std::nullopt;
  return fmt::format("{} of its memory are in use, more than the {} of an idle card", bytes_text(*used),
                     bytes_text(run.policy.guard.idle_floor));
}

/// Nothing: every container of the target that does not run is stopped for good.
std::optional<std::string> left_over(Run& run) {
  for (const auto& [vmid, want] : run.target.wants) {
    const auto container = observe::look_at_container(run.host, run.policy, vmid, false);
    if (!container) return container.error().message;
    if (container->running == RunState::running) continue;
    const Seen stopped = seen_stopped(run.host, vmid);
    if (stopped.how != Seen::How::so) return fmt::format("container {}: {}", vmid.text(), stopped.text);
  }
  return std::nullopt;
}

}  // namespace

Outcome see_card_free(Run& run, const Step& step) {
  return seen_within(run.host, run.policy.timing.stop, kPause, [&] {
    if (auto why = told_to_stop(run)) return Seen{Seen::How::never, *std::move(why)};
    for (const PciAddress& card : step.cards) {
      if (auto why = open_by(run, card)) return Seen{Seen::How::not_yet, *std::move(why)};
      if (auto why = memory_in_use(run, card)) return Seen{Seen::How::not_yet, *std::move(why)};
    }
    if (auto why = left_over(run)) return Seen{Seen::How::not_yet, *std::move(why)};
    return Seen{Seen::How::so, "no process has it open, and its memory is free"};
  });
}

}  // namespace interlock::act
