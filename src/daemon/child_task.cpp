#include "daemon/child_task.h"

#include <unistd.h>

#include <array>
#include <cerrno>

#include "host/pipe.h"

namespace interlock::daemon {
namespace {

/// A child that writes more than this without an end of line is broken.
constexpr std::size_t kLongestLine = std::size_t{16} << 20;

}  // namespace

Result<std::unique_ptr<ChildTask>> ChildTask::start(EventLoop& loop, LeftBehind& left_behind,
                                                    const Options& options, const std::function<int()>& work,
                                                    OnLine on_line, OnEnd on_end) {
  Pipe pipe = TRY(make_pipe());
  ForkOptions fork_options;
  fork_options.output = pipe.write.get();
  fork_options.dies_with_us = options.dies_with_us;
  ChildProcess child = TRY(fork_child(fork_options, work));
  std::unique_ptr<ChildTask> task(new ChildTask(loop, left_behind, options, std::move(child),
                                                std::move(pipe.read), std::move(on_line), std::move(on_end)));
  task->deadline_.at(options.deadline);
  return task;
}

ChildTask::ChildTask(EventLoop& loop, LeftBehind& left_behind, const Options& options, ChildProcess child,
                     Fd output, OnLine on_line, OnEnd on_end)
    : left_behind_(left_behind),
      options_(options),
      child_(std::move(child)),
      output_(std::move(output)),
      on_line_(std::move(on_line)),
      on_end_(std::move(on_end)),
      readable_(loop.readable(output_.get(), [this] { take_output(); })),
      end_(loop.readable(child_->pidfd(), [this] { ended(); })),
      deadline_(loop.timer([this] { late(); })) {}

ChildTask::~ChildTask() {
  end_.reset();
  if (child_ && options_.dies_with_us) left_behind_.take(*std::move(child_), options_.what);
}

void ChildTask::take_output() {
  std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read(2) fills it
  for (;;) {
    const ssize_t got = ::read(output_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      // End of file: the child's end tells the rest. EAGAIN: more will come.
      if (got == 0 || errno != EAGAIN) readable_.reset();
      return;
    }
    partial_.append(buffer.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (auto end = partial_.find('\n'); end != std::string::npos; end = partial_.find('\n', begin)) {
      on_line_(std::string_view(partial_).substr(begin, end - begin));
      begin = end + 1;
    }
    partial_.erase(0, begin);
    if (partial_.size() > kLongestLine) {
      readable_.reset();
      return;
    }
  }
}

void ChildTask::ended() {
  const auto how = child_->reap();
  if (!how) return;
  if (readable_) take_output();
  // Unwatched before it is closed: children forked meanwhile keep the description alive, and the loop would
  // be told of a source that is gone.
  end_.reset();
  child_.reset();
  deadline_.off();
  const OnEnd on_end = std::move(on_end_);
  on_end(*how);  // last: it may destroy this task
}

void ChildTask::late() {
  end_.reset();
  readable_.reset();
  left_behind_.take(*std::move(child_), options_.what);
  child_.reset();
  const OnEnd on_end = std::move(on_end_);
  on_end("it had not answered at its deadline");  // last: it may destroy this task
}

}  // namespace interlock::daemon
