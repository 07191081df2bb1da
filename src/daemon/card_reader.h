// The reader of one card, whichever process that is now: asked at a pace, replaced when it is late, never
// waited for.
#pragma once

#include <optional>
#include <string>

#include "daemon/reader_process.h"
#include "policy/policy.h"

namespace interlock::daemon {

/// A reader that was just started has to be loaded first, on a host that may be busy.
inline constexpr Duration kFirstReadDeadline = std::chrono::seconds(1);

/// One that hangs, and the one that replaced it (design, 11.10).
inline constexpr std::size_t kMostReaders = 2;

class CardReader {
 public:
  using OnSample = ReaderProcess::OnSample;
  /// Asked for, and not come: `why`.
  using OnMissed = std::function<void(const std::string& why)>;

  /// `on_ask`: a question is put now.
  CardReader(EventLoop& loop, LeftBehind& left_behind, const ReaderProgram& program, PciAddress card,
             Callback on_ask, OnSample on_sample, OnMissed on_missed);
  CardReader(const CardReader&) = delete;
  CardReader& operator=(const CardReader&) = delete;
  ~CardReader();

  /// The next question; a time that is over means at once. While an answer is awaited, it has no effect.
  void ask_at(Instant when);
  /// Ends the reader; the next question starts one.
  void rest();

  unsigned replaced() const { return replaced_; }
  /// Readers that were killed and could not be ended.
  std::size_t hung() const { return left_behind_.count(what_); }
  bool awaiting() const { return deadline_.armed(); }

 private:
  void ask();
  void late();
  void missed(const std::string& why);
  Result<void> start();

  EventLoop& loop_;
  LeftBehind& left_behind_;
  const ReaderProgram& program_;
  PciAddress card_;
  std::string what_;
  Callback on_ask_;
  OnSample on_sample_;
  OnMissed on_missed_;
  std::optional<ReaderProcess> reader_;
  Duration patience_ = kFirstReadDeadline;
  unsigned replaced_ = 0;
  Timer next_;
  Timer deadline_;  // armed while an answer is awaited
};

}  // namespace interlock::daemon
