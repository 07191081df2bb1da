#include "mocks/memory.h"

#include <algorithm>

#include "base/text.h"
#include "mocks/pct.h"

namespace interlock::mocks {
bool MockHost::Memory::wait_until(const std::function<bool()>& done, Duration limit) {
  const Instant end = model.now + limit;
  for (;;) {
    if (done()) return true;
    if (in_background) throw CommandTimedOut{};
    if (model.now >= end) return false;
    if (deadline_ && model.now >= *deadline_) throw CommandTimedOut{};
    Instant next = deadline_ ? std::min(end, *deadline_) : end;
    if (const auto event = next_event(); event && *event < next) next = std::max(*event, model.now);
    advance(next);
  }
}

std::optional<std::string> MockHost::Memory::gate_refusal(int vmid) {
  if (!host_.gate) return std::nullopt;
  ++host_.depth_;
  auto refusal = host_.gate(host_, vmid);
  --host_.depth_;
  return refusal;
}

bool MockHost::Memory::take_lock(const std::string& path, Duration patience) {
  const auto is_free = [&] { return !model.locks.contains(path); };
  if (!is_free() && in_background) throw CommandTimedOut{};
  if (!wait_until(is_free, patience)) return false;
  model.locks[path] = kWorker;
  return true;
}

CommandEnd MockHost::Memory::perform(const Command& command, bool half) {
  const std::string& program = command.argv.front();
  std::vector<std::string> words(command.argv.begin() + 1, command.argv.end());
  if (half) {
    auto fewer = half_of(std::move(words));
    if (!fewer) return {};
    words = *std::move(fewer);
  }
  const auto before = std::exchange(deadline_, model.now + command.deadline);
  CommandEnd end;
  try {
    if (program.ends_with("/pct")) {
      end = pct(*this, words, command.input);
      model.calls.push_back(
          {static_cast<int>(model.calls.size()) + 1, joined(words, " "), end.code, end.errors, {}});
    } else if (program.ends_with("/systemctl")) {
      end = systemctl(*this, 0, words);
    } else if (const auto known = model.host_commands.find(program); known != model.host_commands.end()) {
      end.code = known->second.code;
      end.output = known->second.output;
      end.errors = known->second.errors;
      model.calls.push_back(
          {static_cast<int>(model.calls.size()) + 1, joined(command.argv, " "), end.code, {}, {}});
    }
  } catch (const CommandTimedOut&) {
    end.how = CommandEnd::How::timed_out;
    deadline_ = std::nullopt;
    orphan_workers();
  }
  deadline_ = before;
  end.deadline = command.deadline;
  judge_changes();
  return end;
}

}  // namespace interlock::mocks
