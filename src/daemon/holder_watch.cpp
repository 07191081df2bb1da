#include "daemon/holder_watch.h"

#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "daemon/lines.h"
#include "host/linux_host.h"
#include "host/paths.h"
#include "host/scheduling.h"
#include "observe/holders.h"
#include "observe/host_state.h"

namespace interlock::daemon {
namespace {

using namespace std::chrono_literals;

constexpr Duration kBetweenBindings = 30s;
constexpr Duration kLookDeadline = 1s;      // 60 ms on a host with 5,000 processes (design, section 10)
constexpr Duration kBindingsDeadline = 5s;  // Proxmox's file system may be slow, and nobody waits for it

Result<std::string> look_for_holders(const std::string& root, Bytes idle_memory, std::string_view question) {
  const auto containers = TRY(parse_holder_question(question));
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
      root_(std::move(root)),
      on_look_(std::move(on_look)),
      view_(::getpid()),
      holders_(
          loop, left_behind, "look for holders",
          [this] {
            return AskedChild::fork([this] {
              run_early();
              return answer_lines([this](std::string_view question) { return find_holders(question); });
            });
          },
          [this](std::string& bytes) { take_look(bytes); },
          [this](const std::string& why) { end_look("the look for holders: " + why); }),
      bindings_(
          loop, left_behind, "look for bindings",
          [this] {
            return AskedChild::fork(
                [this] { return answer_lines([this](std::string_view) { return find_bindings(); }); });
          },
          [this](std::string& bytes) { take_bindings(bytes); },
          [](const std::string&) {}),  // what was known of them stays; the next look may do better
      next_(loop.timer([this] { look(); }, kTogether)),
      next_bindings_(loop.timer([this] { look_at_bindings(); }, kTogether)) {}

void HolderWatch::begin(const Policy& policy) {
  policy_ = policy;
  holders_.rest();
  bindings_.rest();
  look_at_all_now();
  look_at_bindings();
}

void HolderWatch::pace(Pace pace) {
  const bool sooner = pace.quick < pace_.quick || pace.all < pace_.all;
  pace_ = pace;
  if (sooner && !holders_.awaiting()) next_.at(loop_.now() + pace_.quick);
}

void HolderWatch::look_at_all_now() {
  all_at_.reset();
  again_ = holders_.awaiting();
  if (!again_) next_.at(loop_.now());
}

std::string HolderWatch::find_holders(std::string_view question) const {
  const auto line = look_for_holders(root_, policy_.guard.idle_memory, question);
  return line ? *line : trouble_line(line.error().message);
}

std::string HolderWatch::find_bindings() const {
  const auto line = look_for_bindings(root_, policy_);
  return line ? *line : trouble_line(line.error().message);
}

void HolderWatch::look() {
  begun_at_ = loop_.now();
  const auto worth = view_.worth_a_look();
  const bool all = !worth || !all_at_ || begun_at_ - *all_at_ >= pace_.all;
  looked_at_ = all ? std::nullopt : worth;
  if (all) all_at_ = begun_at_;
  holders_.ask(holder_question(looked_at_) + '\n', kLookDeadline);
}

void HolderWatch::take_look(std::string& bytes) {
  const auto line = next_line(bytes);
  if (!line) return;
  holders_.answered();
  auto look = parse_holder_line(*line);
  if (look) view_.take(*std::move(look), looked_at_, begun_at_);
  end_look(look ? std::string{} : look.error().message);
}

void HolderWatch::end_look(const std::string& trouble) {
  trouble_ = trouble;
  tried_ = true;
  const Instant now = loop_.now();
  // At the pace; but where a look takes long, half of the time is rest.
  next_.at(again_ ? now : std::max(begun_at_ + pace_.quick, now + pace_.quick / 2));
  again_ = false;
  on_look_();
}

void HolderWatch::look_at_bindings() {
  next_bindings_.at(loop_.now() + kBetweenBindings);
  if (!bindings_.awaiting()) bindings_.ask("\n", kBindingsDeadline);
}

void HolderWatch::take_bindings(std::string& bytes) {
  const auto line = next_line(bytes);
  if (!line) return;
  bindings_.answered();
  if (auto look = parse_binding_line(*line)) view_.take(*std::move(look));
}

}  // namespace interlock::daemon
