#include "daemon/reader_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

#include "host/pipe.h"
#include "observe/sample_wire.h"

namespace interlock::daemon {
namespace {

constexpr int kCannotExec = 126;

Result<std::string> own_folder() {
  std::array<char, PATH_MAX> path;  // NOLINT(cppcoreguidelines-pro-type-member-init): readlink(2) fills it
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length < 0) return fail_errno(errno, "/proc/self/exe");
  const std::string_view whole(path.data(), static_cast<std::size_t>(length));
  return std::string(whole.substr(0, whole.rfind('/')));
}

}  // namespace

Result<ReaderProgram> ReaderProgram::beside_ourselves(std::string root) {
  const std::string path = TRY(own_folder()) + "/gpu-interlock-reader";
  Fd program(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!program) return fail_errno(errno, path);
  return ReaderProgram(std::move(program), std::move(root));
}

Result<ReaderProgram::Started> ReaderProgram::start(const PciAddress& card) const {
  Pipe ask = TRY(make_pipe());
  Pipe answer = TRY(make_pipe());
  // The reader waits in its read; it is we who must never wait, with a reader that no longer empties its
  // pipe.
  if (::fcntl(ask.read.get(), F_SETFL, 0) != 0 || ::fcntl(ask.write.get(), F_SETFL, O_NONBLOCK) != 0) {
    return fail_errno(errno, "a reader's pipe");
  }
  ForkOptions options;
  options.input = ask.read.get();
  options.output = answer.write.get();
  options.keep = program_.get();
  ChildProcess child = TRY(fork_child(options, [this, &card] {
    std::array<std::string, 5> words{"gpu-interlock-reader", "--root", root_, "--pci", card.text()};
    std::array<char*, 6> argv{};
    for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
    std::array<char*, 1> no_environment{};
    static_cast<void>(::execveat(program_.get(), "", argv.data(), no_environment.data(), AT_EMPTY_PATH));
    return kCannotExec;
  }));
  return Started{std::move(child), {std::move(ask.write), std::move(answer.read)}};
}

ReaderProcess::ReaderProcess(EventLoop& loop, ReaderProgram::Started started, OnSample on_sample,
                             OnEnd on_end)
    : child_(std::move(started.child)),
      pipes_(std::move(started.pipes)),
      on_sample_(std::move(on_sample)),
      on_end_(std::move(on_end)),
      readable_(loop.readable(pipes_.answer.get(), [this] { take_answer(); })) {}

bool ReaderProcess::ask() {
  return ::write(pipes_.ask.get(), "?", 1) == 1;
}

ChildProcess ReaderProcess::release() && {
  readable_.reset();
  return std::move(child_);
}

void ReaderProcess::take_answer() {
  std::array<char, observe::kLongestRecord>
      buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read(2) fills it
  const ssize_t got = ::read(pipes_.answer.get(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return end("it ended by itself");
  bytes_.append(buffer.data(), static_cast<std::size_t>(got));
  auto sample = observe::next_sample(bytes_);
  if (!sample) return end(sample.error().message);
  if (!*sample) return;
  const OnSample on_sample = on_sample_;
  on_sample(**std::move(sample));  // last: it may destroy this object
}

void ReaderProcess::end(const std::string& why) {
  readable_.reset();
  const OnEnd on_end = std::move(on_end_);
  on_end(why);  // last: it may destroy this object
}

}  // namespace interlock::daemon
