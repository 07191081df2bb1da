// The reader of one card, whichever process that is now: asked at a pace, replaced when it is late, never
// waited for.
#pragma once

#include <string>

#include "daemon/reader_program.h"
#include "model/sample.h"
#include "policy/policy.h"

namespace interlock::daemon {

/// A reader that was just started has to be loaded first, on a host that may be busy.
inline constexpr Duration kFirstReadDeadline = std::chrono::seconds(1);

class CardReader {
 public:
  using OnSample = std::function<void(CardSample)>;
  /// Asked for, and not come: `why`.
  using OnMissed = std::function<void(const std::string& why)>;

  /// `on_ask`: a question is put now.
  CardReader(EventLoop& loop, LeftBehind& left_behind, const ReaderProgram& program, const PciAddress& card,
             Callback on_ask, OnSample on_sample, const OnMissed& on_missed);

  /// The next question; a time that is over means at once. While an answer is awaited, it has no effect.
  void ask_at(Instant when);
  /// Ends the reader; the next question starts one.
  void rest() { reader_.rest(); }

  unsigned replaced() const { return reader_.late(); }
  /// Readers that were killed and could not be ended.
  std::size_t hung() const { return reader_.hung(); }
  bool awaiting() const { return reader_.awaiting(); }

 private:
  void ask();
  void take(std::string& bytes);

  Callback on_ask_;
  OnSample on_sample_;
  AskedChild reader_;
  Timer next_;
};

}  // namespace interlock::daemon
