#include "mocks/mock_host.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text.h"
#include "mocks/memory.h"
#include "mocks/pct.h"
#include "mocks/step.h"
#include "mocks/view.h"

namespace interlock::mocks {

MockHost::MockHost(Model start) : machine_(std::make_unique<Memory>(std::move(start), *this)) {}
MockHost::~MockHost() = default;

Model& MockHost::model() {
  return machine_->model;
}
const Model& MockHost::model() const {
  return machine_->model;
}
Machine& MockHost::machine() {
  return *machine_;
}
void MockHost::judge() {
  machine_->judge();
}

void MockHost::revive() {
  dead_ = false;
  ++life_;
  std::erase_if(model().locks, [](const auto& lock) { return lock.second == kController; });
  machine_->orphan_workers();
}

void MockHost::boot() {
  boot(std::exchange(next_boot_, {}));
}

void MockHost::boot(const BootOptions& options) {
  dead_ = false;
  ++life_;
  ++depth_;
  machine_->boot(options);
  --depth_;
}

std::optional<std::string> MockHost::peek(const std::string& path) const {
  const auto real = resolved(model(), path, true);
  if (!real) return std::nullopt;
  Node node = node_at(model(), *real, Ask::content);
  if (node.kind != Node::Kind::file) return std::nullopt;
  return std::move(node.text);
}

void MockHost::poke(const std::string& path, std::string text) {
  const auto real = resolved(model(), path, true);
  machine_->store(real ? *real : path, std::move(text));
  machine_->judge();
}

Instant MockHost::now() {
  const std::lock_guard guard(mutex_);
  return model().now;
}

void MockHost::wait(Duration duration) {
  const std::lock_guard guard(mutex_);
  Step step(*this, OperationKind::wait, fmt::format("{} ms", duration / std::chrono::milliseconds(1)), false);
  if (step.dead()) return;
  machine_->without_deadline([&] { machine_->pass(duration); });
  step.finish();
}

std::string MockHost::wall_clock() {
  const std::lock_guard guard(mutex_);
  const std::time_t seconds = model().booted_at + to_ns(model().now) / 1'000'000'000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

class MockHost::Lock final : public HeldLock {
 public:
  Lock(MockHost& host, std::string path) : host_(host), path_(std::move(path)), life_(host.life_) {}
  ~Lock() override {
    const std::lock_guard guard(host_.mutex_);
    if (life_ == host_.life_) host_.model().locks.erase(path_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  MockHost& host_;
  std::string path_;
  int life_;
};

Result<std::unique_ptr<HeldLock>> MockHost::lock(const std::string& path, Duration patience) {
  const std::lock_guard guard(mutex_);
  Step step(*this, OperationKind::lock, path, true);
  if (step.dead()) return fail_errno(EIO, path);
  const std::string real = TRY(writable(path));
  const auto is_free = [&] { return !model().locks.contains(real); };
  bool got = false;
  machine_->without_deadline([&] {
    if (step.fault() != Fault::Kind::none) return machine_->pass(patience);
    got = machine_->wait_until(is_free, patience);
  });
  if (!got) {
    step.finish();
    return fail_errno(EWOULDBLOCK, fmt::format("cannot lock {}", path));
  }
  if (!model().files.contains(real)) machine_->store(real, {});
  model().locks[real] = kController;
  std::unique_ptr<HeldLock> held = std::make_unique<Lock>(*this, real);
  step.finish();
  return held;
}

Result<CommandEnd> MockHost::run(const Command& command) {
  const std::lock_guard guard(mutex_);
  const std::string& program = command.argv.front();
  const std::vector<std::string> words(command.argv.begin() + 1, command.argv.end());
  const std::string name = program.substr(program.rfind('/') + 1);
  const bool looks =
      (name == "pct" && pct_only_looks(words)) || (name == "systemctl" && systemctl_only_looks(words));
  Step step(*this, OperationKind::run, fmt::format("{} {}", name, joined(words, " ")), !looks);
  if (step.dead()) return fail_errno(EIO, program);
  const bool known = name == "pct" || name == "systemctl" || model().host_commands.contains(program);
  if (!known) return fail_errno(ENOENT, fmt::format("cannot run {}", program));

  const auto timed_out = [&] {
    CommandEnd end;
    end.how = CommandEnd::How::timed_out;
    end.deadline = command.deadline;
    return end;
  };
  const auto pass_deadline = [&] { machine_->without_deadline([&] { machine_->pass(command.deadline); }); };
  CommandEnd end;
  switch (step.fault()) {
    case Fault::Kind::fail:
      end.code = 255;
      end.errors = "unable to do what was asked\n";
      break;
    case Fault::Kind::no_effect:
      break;
    case Fault::Kind::half:
      end = perform(command, true);
      end.code = 255;
      break;
    case Fault::Kind::hang:
      pass_deadline();
      end = timed_out();
      break;
    case Fault::Kind::hang_late: {
      Event event;
      event.kind = Event::Kind::pct;
      event.words = words;
      pass_deadline();
      if (name == "pct") machine_->later(std::chrono::seconds(2), std::move(event));
      end = timed_out();
      break;
    }
    case Fault::Kind::hang_after: {
      const Instant until = model().now + command.deadline;
      static_cast<void>(perform(command, false));  // its answer never arrives
      if (model().now < until) machine_->without_deadline([&] { machine_->pass(until - model().now); });
      end = timed_out();
      break;
    }
    case Fault::Kind::undone_later: {
      const auto undo = undo_event(model(), words);
      end = perform(command, false);
      if (undo) machine_->later(std::chrono::seconds(1), *undo);
      break;
    }
    case Fault::Kind::garbage:
      end.output = "\x01\x02 garbage\n=\n";
      break;
    case Fault::Kind::old:
      end = perform_on_old(command);
      break;
    case Fault::Kind::killed_half:
      static_cast<void>(perform(command, true));
      step.die();
    default:
      end = perform(command, false);
      if (step.fault() == Fault::Kind::fail_after) {
        end.code = 255;
        end.errors = "unable to tell what became of it\n";
      }
  }
  step.finish();
  return end;
}

CommandEnd MockHost::perform(const Command& command, bool half) {
  return machine_->perform(command, half);
}

CommandEnd MockHost::perform_on_old(const Command& command) {
  if (!before_change_) return perform(command, false);
  machine_->without_deadline([&] { machine_->pass(model().pace.pct); });
  Memory past(*before_change_, *this);
  return past.perform(command, false);
}

Result<void> MockHost::signal(const ProcessId& process, int signal) {
  const std::lock_guard guard(mutex_);
  return change(
      OperationKind::signal, fmt::format("{} to pid {}", signal, process.pid), [&]() -> Result<void> {
        if (is_rooted)
          return fail_errno(EPERM, fmt::format("cannot signal pid {} of a rooted host", process.pid));
        const Process* found = model().process(process.pid);
        if (found == nullptr || found->started != process.started) {
          return fail_errno(ESRCH, fmt::format("cannot signal pid {}", process.pid));
        }
        machine_->kill_process(process.pid, signal);
        return {};
      });
}

}  // namespace interlock::mocks
