#include "daemon/card_reader.h"

namespace interlock::daemon {

CardReader::CardReader(EventLoop& loop, LeftBehind& left_behind, const ReaderProgram& program,
                       PciAddress card, Callback on_ask, OnSample on_sample, OnMissed on_missed)
    : loop_(loop),
      left_behind_(left_behind),
      program_(program),
      card_(std::move(card)),
      what_("reader of " + card_.text()),
      on_ask_(std::move(on_ask)),
      on_sample_(std::move(on_sample)),
      on_missed_(std::move(on_missed)),
      next_(loop.timer([this] { ask(); })),
      deadline_(loop.timer([this] { late(); })) {}

CardReader::~CardReader() {
  rest();
}

void CardReader::ask_at(Instant when) {
  if (!awaiting()) next_.at(when);
}

void CardReader::rest() {
  deadline_.off();
  if (reader_) left_behind_.take(std::move(*reader_).release(), what_);
  reader_.reset();
}

void CardReader::ask() {
  on_ask_();
  const bool fresh = !reader_;
  if (fresh) {
    if (const auto started = start(); !started) return missed(started.error().message);
  }
  patience_ = fresh ? kFirstReadDeadline : kReadDeadline;
  deadline_.at(loop_.now() + patience_);
  // It cannot have left earlier questions unanswered, so its pipe is not full: it has just ended.
  if (!reader_->ask()) return missed("its reader does not listen");
}

Result<void> CardReader::start() {
  if (hung() >= kMostReaders) {
    return fail("{} readers hang in the kernel, and a third is not started", hung());
  }
  auto started = TRY(in_context(program_.start(card_), "its reader cannot be started"));
  reader_.emplace(
      loop_, std::move(started),
      [this](CardSample sample) {
        deadline_.off();
        on_sample_(std::move(sample));
      },
      [this](const std::string& why) { missed("its reader: " + why); });
  return {};
}

void CardReader::late() {
  ++replaced_;
  missed(fmt::format("no answer within {} ms", patience_ / std::chrono::milliseconds(1)));
}

void CardReader::missed(const std::string& why) {
  rest();
  on_missed_(why);
}

}  // namespace interlock::daemon
