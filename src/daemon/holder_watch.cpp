#include "daemon/holder_watch.h"

#include <unistd.h>

#include "base/text.h"
#include "host/linux_host.h"
#include "host/paths.h"
#include "observe/holders.h"
#include "observe/host_state.h"

namespace interlock::daemon {
namespace {

using namespace std::chrono_literals;

constexpr Duration kBetweenAll = 5s;
constexpr Duration kBetweenBindings = 10s;
constexpr Duration kLookDeadline = 1s;      // 60 ms on a host with 5,000 processes (design, section 10)
constexpr Duration kBindingsDeadline = 5s;  // Proxmox's file system may be slow, and nobody waits for it
constexpr std::size_t kMostHung = 2;
constexpr const char* kLook = "look for holders";
constexpr const char* kBindings = "look for bindings";

/// In the helper: one look, one line.
int answer(const Result<std::string>& line) {
  return answer_line(line ? *line : trouble_line(line.error().message)) ? 0 : 1;
}

Result<std::string> look_for_holders(const std::string& root, Bytes idle_memory,
                                     const std::optional<std::set<Vmid>>& containers) {
  const auto host = TRY(make_linux_host(root));
  auto seen = TRY(observe::find_holders(*host, observe::card_nodes(*host), idle_memory, containers));
  return holder_line({std::move(seen.holders), std::move(seen.unknown)});
}

Result<std::string> look_for_bindings(const std::string& root, const Policy& policy) {
  const auto host = TRY(make_linux_host(root));
  BindingLook look;
  for (const PolicyCard& card : policy.cards) {
    const auto control = host->read_file(paths::pci_device(card.pci) + "/power/control");
    // A card without that file has no runtime power management: polling keeps nothing awake.
    if (control && trimmed(*control) == "auto") look.may_sleep.insert(card.pci);
  }
  const auto state = observe::look(*host, policy, {.units = false, .all_holders = false, .samples = false});
  if (!state) {
    look.trouble.push_back(state.error().message);
  } else {
    for (const Container& container : state->containers) {
      if (container.running == RunState::stopped) continue;
      for (const PolicyCard& card : policy.cards) {
        if (container.binds(card.pci)) look.running[card.pci].insert(container.vmid);
      }
    }
  }
  return binding_line(look);
}

}  // namespace

HolderWatch::HolderWatch(EventLoop& loop, LeftBehind& left_behind, std::string root, Callback on_look)
    : loop_(loop),
      left_behind_(left_behind),
      root_(std::move(root)),
      on_look_(std::move(on_look)),
      view_(::getpid()),
      next_(loop.timer([this] { look(); })),
      next_bindings_(loop.timer([this] { look_at_bindings(); })) {}

void HolderWatch::begin(const Policy& policy) {
  policy_ = policy;
  look_at_all_now();
  if (!bindings_) look_at_bindings();
}

void HolderWatch::pace(Duration between) {
  if (between == between_) return;
  const bool sooner = between < between_;
  between_ = between;
  if (sooner && !holders_) next_.at(loop_.now() + between_);
}

void HolderWatch::look_at_all_now() {
  all_at_.reset();
  again_ = holders_ != nullptr;
  if (!holders_) look();
}

void HolderWatch::look() {
  const Instant now = loop_.now();
  if (left_behind_.count(kLook) >= kMostHung) return end_look("the looks before it hang in the kernel");
  const auto worth = view_.worth_a_look();
  const bool all = !worth || !all_at_ || now >= *all_at_;
  const std::optional<std::set<Vmid>> containers = all ? std::nullopt : worth;
  if (all) all_at_ = now + kBetweenAll;
  answered_ = false;
  auto task = ChildTask::start(
      loop_, left_behind_, {.what = kLook, .deadline = now + kLookDeadline},
      [this, containers] { return answer(look_for_holders(root_, policy_.guard.idle_memory, containers)); },
      [this, containers, now](std::string_view line) {
        auto look = parse_holder_line(line);
        trouble_ = look ? std::string{} : look.error().message;
        if (look) view_.take(*std::move(look), containers, now);
        answered_ = true;
      },
      [this](const std::string& trouble) {
        holders_.reset();
        if (answered_) return end_look(trouble_);
        ++late_;
        end_look(trouble.empty() ? "it gave no answer" : trouble);
      });
  if (!task) return end_look(task.error().message);
  holders_ = *std::move(task);
}

void HolderWatch::end_look(const std::string& trouble) {
  trouble_ = trouble;
  tried_ = true;
  next_.at(loop_.now() + (again_ ? Duration::zero() : between_));
  again_ = false;
  on_look_();
}

void HolderWatch::look_at_bindings() {
  next_bindings_.at(loop_.now() + kBetweenBindings);
  if (bindings_ || left_behind_.count(kBindings) >= kMostHung) return;
  auto task = ChildTask::start(
      loop_, left_behind_, {.what = kBindings, .deadline = loop_.now() + kBindingsDeadline},
      [this] { return answer(look_for_bindings(root_, policy_)); },
      [this](std::string_view line) {
        if (auto look = parse_binding_line(line)) view_.take(*std::move(look));
      },
      [this](const std::string&) { bindings_.reset(); });
  // What was known of the bindings stays; the next look may do better.
  if (task) bindings_ = *std::move(task);
}

}  // namespace interlock::daemon
