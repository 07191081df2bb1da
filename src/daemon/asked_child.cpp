#include "daemon/asked_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "host/pipe.h"

namespace interlock::daemon {
namespace {

/// One that hangs, and the one that replaced it (design, 11.10).
constexpr std::size_t kMostHung = 2;

/// A child that writes more than this without an end is broken.
constexpr std::size_t kLongestAnswer = std::size_t{16} << 20;

}  // namespace

Result<AskedChild::Started> AskedChild::fork(const std::function<int()>& work, int keep) {
  Pipe ask = TRY(make_pipe());
  Pipe answer = TRY(make_pipe());
  // The child waits in its read; it is we who must never wait, with a child that no longer empties its pipe.
  if (::fcntl(ask.read.get(), F_SETFL, 0) != 0 || ::fcntl(ask.write.get(), F_SETFL, O_NONBLOCK) != 0) {
    return fail_errno(errno, "a child's pipe");
  }
  ChildProcess child =
      TRY(fork_child({.input = ask.read.get(), .output = answer.write.get(), .keep = keep}, work));
  return Started{std::move(child), std::move(ask.write), std::move(answer.read)};
}

AskedChild::AskedChild(EventLoop& loop, LeftBehind& left_behind, std::string what, Start start,
                       OnBytes on_bytes, OnMissed on_missed)
    : loop_(loop),
      left_behind_(left_behind),
      what_(std::move(what)),
      start_(std::move(start)),
      on_bytes_(std::move(on_bytes)),
      on_missed_(std::move(on_missed)),
      deadline_(loop.timer([this] { deadline_passed(); })) {}

void AskedChild::ask(std::string_view question, Duration patience) {
  if (!child_) {
    if (const auto begun = begin(); !begun) return miss(begun.error().message);
  }
  patience_ = patience;
  deadline_.at(loop_.now() + patience_);
  // It has answered all before, so its pipe is not full: if it does not take this, it has just ended.
  const ssize_t written = ::write(ask_.get(), question.data(), question.size());
  if (written != static_cast<ssize_t>(question.size())) miss("it does not listen");
}

Result<void> AskedChild::begin() {
  if (hung() >= kMostHung) return fail("{} of them hang in the kernel, and no other is begun", hung());
  Started started = TRY(in_context(start_(), "it cannot be started"));
  child_ = std::move(started.child);
  ask_ = std::move(started.ask);
  answer_ = std::move(started.answer);
  readable_ = loop_.readable(answer_.get(), [this] { take_answer(); });
  return {};
}

void AskedChild::rest() {
  deadline_.off();
  readable_.reset();
  ask_.reset();
  answer_.reset();
  bytes_.clear();
  if (child_) left_behind_.take(*std::move(child_), what_);
  child_.reset();
}

void AskedChild::miss(const std::string& why) {
  rest();
  on_missed_(why);
}

void AskedChild::deadline_passed() {
  ++late_;
  miss(fmt::format("no answer within {} ms", patience_ / std::chrono::milliseconds(1)));
}

void AskedChild::take_answer() {
  std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read(2) fills it
  const ssize_t got = ::read(answer_.get(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return miss("it ended by itself");
  bytes_.append(buffer.data(), static_cast<std::size_t>(got));
  if (bytes_.size() > kLongestAnswer) return miss("its answer has no end");
  on_bytes_(bytes_);
}

}  // namespace interlock::daemon
