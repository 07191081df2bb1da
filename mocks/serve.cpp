// The kernel's part while nobody runs pct: control files are acted upon within a few milliseconds.
#include <algorithm>
#include <thread>

#include "base/text.h"
#include "mocks/disk.h"
#include "mocks/program.h"

namespace interlock::mocks {
namespace {

constexpr Duration kPoll = std::chrono::milliseconds(2);
constexpr Duration kRefresh = std::chrono::milliseconds(100);  // memory and engine times as they grow

struct Control {
  std::string path;
  std::string text;  // as it stood when we last looked
};

std::vector<Control> controls_of(const std::string& root, const Model& model) {
  std::vector<Control> found;
  for (const auto& [path, node] : tree_of(model)) {
    if (!path.ends_with("/cgroup.kill") && !path.ends_with("/cgroup.freeze")) continue;
    found.push_back({root + path, std::string(trimmed(node.text))});
  }
  return found;
}

bool touched(const std::vector<Control>& controls) {
  return std::ranges::any_of(controls, [](const Control& control) {
    const auto text = disk::read(control.path);
    return text && !trimmed(*text).empty() && trimmed(*text) != control.text;
  });
}

}  // namespace

Result<void> serve(const std::string& root, Duration time) {
  const Instant end = real_time() + time;
  while (real_time() < end) {
    const auto folder = TRY(Folder::open(root));
    TRY(folder->close());
    const auto controls = controls_of(root, folder->model);
    Instant next = real_time() + kRefresh;
    for (const Event& event : folder->model.events) next = std::min(next, event.at);
    while (real_time() < std::min(next, end) && !touched(controls)) std::this_thread::sleep_for(kPoll);
  }
  return {};
}

}  // namespace interlock::mocks
