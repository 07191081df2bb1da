#include "judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "mocks/config.h"

namespace interlock::explore {
namespace {

using act::CutoverReport;
using act::CutoverResult;

std::string configuration_without(const std::string& text, const std::set<std::string>& keys) {
  mocks::Config config = mocks::parse(text);
  for (const std::string& key : keys) config.main.keys.erase(key);
  std::erase_if(config.main.raw, [](const auto& line) { return line.first == "lxc.mount.entry"; });
  return print(config);
}

/// What no cutover may change (I5): all but the cards, the limits and the autostart of those it is about.
std::string foreign_bytes(const mocks::Model& now, const mocks::Model& before, const std::set<int>& touched) {
  for (const mocks::Container& container : before.containers) {
    if (touched.contains(container.vmid)) continue;
    const std::string* old = before.config(container.vmid);
    const std::string* text = now.config(container.vmid);
    if (text == nullptr) return fmt::format("I5: the configuration of {} is gone", container.vmid);
    const std::set<std::string> ours{"onboot", "cores", "memory", "swap"};
    const bool same = container.vmid == 121
                          ? *text == *old
                          : configuration_without(*text, ours) == configuration_without(*old, ours);
    if (!same) return fmt::format("I5: the configuration of {} was changed:\n{}", container.vmid, *text);
  }
  return {};
}

/// "renderD129" as "renderD": numbers that a boot may change, and lines written anew name them.
std::string unnumbered(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    const std::string_view before(result);
    if (number && (before.ends_with("renderD") || before.ends_with("dri/card"))) continue;
    result += text[at];
    while (number && at + 1 < text.size() && before.ends_with("renderD") &&
           std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0)
      ++at;
  }
  return result;
}

bool alike(scene::Picture now, scene::Picture then, bool renumbered) {
  for (scene::Picture* picture : {&now, &then}) {
    if (!renumbered) break;
    for (auto& [vmid, text] : picture->configs) text = unnumbered(text);
    for (auto& [vmid, text] : picture->generated) text = unnumbered(text);
  }
  return scene::difference(then, now).empty();
}

}  // namespace

void Hands::take(const Choice& choice, const mocks::Operation& operation) {
  using Kind = mocks::Fault::Kind;
  if (choice.what == Choice::What::actor) {
    constexpr int kClone = 124;
    acted = late = true;
    if (choice.vmid != 0) touched.insert(choice.vmid);
    if (choice.actor == Actor::clone) touched.insert(kClone);
  }
  if (choice.what != Choice::What::fault) return;
  renumbered = renumbered || choice.fault.renumber;
  const bool another = choice.fault.kind == Kind::undone_later || choice.fault.kind == Kind::hang_late;
  if (!another) return;
  acted = late = true;
  for (const int vmid : {120, 123}) {
    if (operation.text.contains(std::to_string(vmid))) touched.insert(vmid);
  }
}

bool Hands::excuse_no_more_than(const Hands& other) const {
  return std::ranges::includes(other.touched, touched) && acted <= other.acted && late <= other.late &&
         renumbered <= other.renumbered;
}

std::string breaches_of(const mocks::Model& model, const Hands& hands) {
  std::string text;
  for (const mocks::Breach& breach : model.breaches) {
    const bool another =
        std::ranges::any_of(breach.containers, [&](int vmid) { return hands.touched.contains(vmid); });
    if (another && !breach.held) continue;
    text += fmt::format("{} {}, after operation {}: {}\n", breach.invariant, breach.when, breach.operation,
                        breach.text);
  }
  return text;
}

bool is_over(const CutoverReport& report) {
  return report.result == CutoverResult::done || report.result == CutoverResult::rolled_back ||
         report.result == CutoverResult::unchanged;
}

Judgement judged(const mocks::Model& model, const scene::Course& course, const Hands& hands,
                 const CutoverReport& last, bool came_back) {
  const scene::Picture now = scene::picture_of(model);
  const bool began = alike(now, course.beginning, hands.renumbered);
  const bool reached = alike(now, course.end, hands.renumbered);
  Judgement result;
  const std::string_view where = reached ? "at the target" : began ? "at the beginning" : "elsewhere";
  result.end = fmt::format("{} {}", act::to_string(last.result), where);
  result.means = came_back ? fmt::format("back {}", where) : result.end;
  std::string& wrong = result.wrong;
  wrong = breaches_of(model, hands);
  wrong += foreign_bytes(model, course.from, hands.touched);
  const bool open = scene::has_open_journal(model);
  if (is_over(last) && open && last.result != CutoverResult::unchanged)
    wrong += "it says that it is over, and its journal is open\n";
  if (last.result == CutoverResult::held) {
    if (!open) wrong += "it is held, and nothing is open\n";
    if (last.messages.empty()) wrong += "it is held, and does not say what is not as it was\n";
    if (!hands.acted) wrong += "nothing stands in its way, and recovery does not get through\n";
  }
  // Another's hand may leave it anywhere; without one it is where it says that it is.
  if (!hands.acted && !began && !reached) wrong += "it is neither at the beginning nor at the target\n";
  if (!hands.acted && came_back && !began) wrong += "it is not where it began\n";
  if (is_over(last) && !hands.late && !model.breached.empty())
    wrong += "a false done: " + *model.breached.begin() + "\n";
  return result;
}

}  // namespace interlock::explore
