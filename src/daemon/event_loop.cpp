#include "daemon/event_loop.h"

#include <sys/epoll.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <system_error>

namespace interlock::daemon {
namespace {

std::uint64_t microseconds(Instant at) {
  const auto ns = to_ns(at);
  return ns <= 0 ? 0 : (static_cast<std::uint64_t>(ns) + 999) / 1000;  // never early
}

/// The loop cannot go on without what failed here: out of memory or descriptors, or misused.
void require(int result, const char* what) {
  if (result < 0) throw std::system_error(-result, std::generic_category(), what);
}

}  // namespace

Watch::Watch(Watch&& other) noexcept
    : source_(std::exchange(other.source_, nullptr)), slot_(std::move(other.slot_)) {}

Watch& Watch::operator=(Watch&& other) noexcept {
  std::swap(source_, other.source_);
  std::swap(slot_, other.slot_);
  return *this;
}

Watch::~Watch() {
  reset();
}

void Watch::reset() {
  if (source_ != nullptr) sd_event_source_disable_unref(std::exchange(source_, nullptr));
  slot_.reset();
}

void Timer::at(Instant when) {
  require(sd_event_source_set_time(watch_.source_, microseconds(when - slack_)), "setting a timer");
  require(sd_event_source_set_enabled(watch_.source_, SD_EVENT_ONESHOT), "arming a timer");
  *armed_ = true;
}

void Timer::off() {
  require(sd_event_source_set_enabled(watch_.source_, SD_EVENT_OFF), "disarming a timer");
  *armed_ = false;
}

Result<std::unique_ptr<EventLoop>> EventLoop::make() {
  sd_event* event = nullptr;
  const int made = sd_event_new(&event);
  if (made < 0) return fail_errno(-made, "making the event loop");
  return std::unique_ptr<EventLoop>(new EventLoop(event));
}

EventLoop::~EventLoop() {
  sd_event_unref(event_);
}

Instant EventLoop::now() const {
  timespec at{};
  require(clock_gettime(CLOCK_BOOTTIME, &at), "reading CLOCK_BOOTTIME");
  return Instant{std::chrono::seconds(at.tv_sec) + std::chrono::nanoseconds(at.tv_nsec)};
}

Timer EventLoop::timer(Callback callback, Duration slack) {
  // One microsecond is sd-event's finest; none would mean its default.
  const auto accuracy = std::max<std::uint64_t>(1, microseconds(Instant{slack}));
  Timer timer;
  timer.slack_ = slack;
  timer.armed_ = std::make_shared<bool>(false);
  // The callback is held by a copy while it runs: it may destroy its own timer.
  timer.watch_.slot_ = std::make_unique<Watch::Slot>(
      Watch::Slot{std::make_shared<Callback>([armed = timer.armed_, callback = std::move(callback)] {
        *armed = false;
        callback();
      })});
  const auto fire = [](sd_event_source*, std::uint64_t, void* slot) noexcept {
    const auto held = static_cast<Watch::Slot*>(slot)->callback;
    (*held)();
    return 0;
  };
  require(sd_event_add_time(event_, &timer.watch_.source_, CLOCK_BOOTTIME, 0, accuracy, fire,
                            timer.watch_.slot_.get()),
          "adding a timer");
  require(sd_event_source_set_enabled(timer.watch_.source_, SD_EVENT_OFF), "disarming a timer");
  return timer;
}

Watch EventLoop::readable(int fd, Callback callback) {
  Watch watch;
  watch.slot_ = std::make_unique<Watch::Slot>(Watch::Slot{std::make_shared<Callback>(std::move(callback))});
  const auto fire = [](sd_event_source*, int, std::uint32_t, void* slot) noexcept {
    const auto held = static_cast<Watch::Slot*>(slot)->callback;
    (*held)();
    return 0;
  };
  require(sd_event_add_io(event_, &watch.source_, fd, EPOLLIN, fire, watch.slot_.get()),
          "watching a descriptor");
  return watch;
}

Watch EventLoop::signal(int signal, Callback callback) {
  Watch watch;
  watch.slot_ = std::make_unique<Watch::Slot>(Watch::Slot{std::make_shared<Callback>(std::move(callback))});
  const auto fire = [](sd_event_source*, const signalfd_siginfo*, void* slot) noexcept {
    const auto held = static_cast<Watch::Slot*>(slot)->callback;
    (*held)();
    return 0;
  };
  require(sd_event_add_signal(event_, &watch.source_, signal, fire, watch.slot_.get()), "watching a signal");
  return watch;
}

bool EventLoop::over() const {
  return sd_event_get_state(event_) == SD_EVENT_FINISHED;
}

int EventLoop::run() {
  const int code = sd_event_loop(event_);
  require(code, "running the event loop");
  return code;
}

void EventLoop::stop(int code) {
  require(sd_event_exit(event_, code), "ending the event loop");
}

}  // namespace interlock::daemon
