// A thin, typed face of sd-event(3): one thread, one loop. Deadlines are CLOCK_BOOTTIME, so that they run on
// through a suspend of the host, and reached to the microsecond (sd-event's default would let them slip by a
// quarter second).
#pragma once

#include <systemd/sd-event.h>

#include <functional>
#include <memory>

#include "base/result.h"
#include "base/time.h"

namespace interlock::daemon {

using Callback = std::function<void()>;

/// The slack of what is done at a pace: all cards are asked, and holders looked for, at one waking.
inline constexpr Duration kTogether = std::chrono::milliseconds(10);

/// One thing that the loop watches; it stops watching when this is destroyed, also from inside its own
/// callback.
class Watch {
 public:
  Watch() = default;
  Watch(Watch&& other) noexcept;
  Watch& operator=(Watch&& other) noexcept;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();
  explicit operator bool() const { return source_ != nullptr; }
  void reset();

 private:
  friend class EventLoop;
  friend class Timer;
  struct Slot {
    std::shared_ptr<Callback> callback;
  };
  sd_event_source* source_ = nullptr;
  std::unique_ptr<Slot> slot_;
};

/// A one-shot alarm that can be set again and again.
class Timer {
 public:
  /// Never early, but by its slack.
  void at(Instant when);
  void off();
  bool armed() const { return armed_ != nullptr && *armed_; }

 private:
  friend class EventLoop;
  Watch watch_;
  std::shared_ptr<bool> armed_;
  Duration slack_{};
};

class EventLoop {
 public:
  static Result<std::unique_ptr<EventLoop>> make();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop();

  /// CLOCK_BOOTTIME, now.
  Instant now() const;

  /// `slack`: so much sooner the timer may ring, together with another that is due: to wake up once is to
  /// rest twice as long.
  Timer timer(Callback callback, Duration slack = Duration::zero());
  /// Called while `fd` has something to read, or its other end is gone.
  Watch readable(int fd, Callback callback);
  /// `signal` must be blocked (block_signals); it then arrives here only.
  Watch signal(int signal, Callback callback);

  /// Until stop(); gives what stop() was told.
  int run();
  void stop(int code);
  /// It has been stopped: nothing can be watched any more.
  bool over() const;
  sd_event* raw() { return event_; }  // for sd-bus alone

 private:
  explicit EventLoop(sd_event* event) : event_(event) {}
  sd_event* event_;
};

}  // namespace interlock::daemon
