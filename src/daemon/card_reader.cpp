#include "daemon/card_reader.h"

#include "observe/sample_wire.h"

namespace interlock::daemon {

CardReader::CardReader(EventLoop& loop, LeftBehind& left_behind, const ReaderProgram& program,
                       const PciAddress& card, Callback on_ask, OnSample on_sample, const OnMissed& on_missed)
    : on_ask_(std::move(on_ask)),
      on_sample_(std::move(on_sample)),
      reader_(
          loop, left_behind, "reader of " + card.text(), [&program, card] { return program.start(card); },
          [this](std::string& bytes) { take(bytes); },
          [on_missed](const std::string& why) { on_missed("its reader: " + why); }),
      next_(loop.timer([this] { ask(); }, kTogether)) {}

void CardReader::ask_at(Instant when) {
  if (!awaiting()) next_.at(when);
}

void CardReader::ask() {
  on_ask_();
  reader_.ask("?", reader_.begun() ? kReadDeadline : kFirstReadDeadline);
}

void CardReader::take(std::string& bytes) {
  auto sample = observe::next_sample(bytes);
  if (!sample) return reader_.miss(sample.error().message);
  if (!*sample) return;
  reader_.answered();
  on_sample_(**std::move(sample));
}

}  // namespace interlock::daemon
