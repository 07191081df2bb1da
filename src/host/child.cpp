#include "host/child.h"

#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "host/pipe.h"

namespace interlock {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 20;
constexpr Duration kAfterKill = std::chrono::seconds(1);

Instant boot_time() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return Instant{std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)};
}

/// In memory, whole before the child starts: nobody has to feed it, and a child that does not read blocks
/// nobody.
Result<Fd> make_input(const std::string& content) {
  if (content.empty()) {
    Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!null) return fail_errno(errno, "cannot open /dev/null");
    return above_standard(std::move(null));
  }
  Fd memory(::memfd_create("input", MFD_CLOEXEC));
  if (!memory) return fail_errno(errno, "cannot make a file in memory");
  const ssize_t written = ::pwrite(memory.get(), content.data(), content.size(), 0);
  if (written < 0) return fail_errno(errno, "cannot write the standard input");
  if (static_cast<std::size_t>(written) != content.size())
    return fail("cannot write the standard input whole");
  return above_standard(std::move(memory));
}

/// What one pipe gave. Beyond the limit it is read and dropped, so that the child is not held up.
class Capture {
 public:
  explicit Capture(Fd pipe) : pipe_(std::move(pipe)) {}
  int fd() const { return pipe_.get(); }  // -1 at its end: poll(2) passes over it
  std::string take() { return std::move(text_); }

  /// What is there now; at most one pipe's fill, so that a grandchild that never stops writing holds nobody
  /// up.
  void drain() {
    for (int rounds = 0; rounds < 16 && pipe_; ++rounds) {
      std::array<char, 65536> buffer;
      const ssize_t got = ::read(pipe_.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) return pipe_.reset();
      text_.append(buffer.data(), std::min(static_cast<std::size_t>(got), kMostOutput - text_.size()));
    }
  }

 private:
  Fd pipe_;
  std::string text_;
};

/// posix_spawn(3) with its two argument objects.
class Spawn {
 public:
  Spawn() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;
  ~Spawn() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  /// Own process group, all signals at their defaults, no descriptor but the three, working folder "/".
  int start(pid_t& pid, const std::string& program, std::vector<std::string> argv,
            std::vector<std::string> environment, std::array<int, 3> standard) {
    int error = 0;
    const auto add = [&](int answer) { error = error != 0 ? error : answer; };
    for (int fd = 0; fd < 3; ++fd) {
      add(::posix_spawn_file_actions_adddup2(&actions_, standard[static_cast<std::size_t>(fd)], fd));
    }
    add(::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1));
    add(::posix_spawn_file_actions_addchdir_np(&actions_, "/"));
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    add(::posix_spawnattr_setsigdefault(&attributes_, &all));
    add(::posix_spawnattr_setsigmask(&attributes_, &none));
    add(::posix_spawnattr_setpgroup(&attributes_, 0));
    add(::posix_spawnattr_setflags(&attributes_,
                                   POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
    if (error != 0) return error;
    return ::posix_spawn(&pid, program.c_str(), &actions_, &attributes_, pointers(argv).data(),
                         pointers(environment).data());
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> found;
    found.reserve(texts.size() + 1);
    for (std::string& text : texts) found.push_back(text.data());
    found.push_back(nullptr);
    return found;
  }
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> environment_for(const RootFolder& root) {
  std::vector<std::string> environment = {"PATH=/sbin:/bin:/usr/sbin:/usr/bin", "LC_ALL=C", "LANG=C",
                                          "HOME=/"};
  if (root.rooted()) environment.push_back("GPU_INTERLOCK_ROOT=" + root.path());  // for a stand-in of pct
  return environment;
}

/// True when the child has ended, and its pid is free again.
bool reap(pid_t pid, CommandEnd& end) {
  siginfo_t info{};
  int answer = 0;
  do {
    answer = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG);
  } while (answer != 0 && errno == EINTR);
  if (answer != 0 || info.si_pid != pid) return false;
  end.how = info.si_code == CLD_EXITED ? CommandEnd::How::exited : CommandEnd::How::signalled;
  end.code = info.si_status;
  return true;
}

/// Waits for the child, reading what it writes. False: the deadline came first.
bool wait_for_end(int pidfd, Capture& output, Capture& errors, Instant deadline) {
  for (;;) {
    const Duration left = deadline - boot_time();
    if (left <= Duration::zero()) return false;
    std::array<pollfd, 3> waiting{{{pidfd, POLLIN, 0}, {output.fd(), POLLIN, 0}, {errors.fd(), POLLIN, 0}}};
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
    if (::ppoll(waiting.data(), waiting.size(), &limit, nullptr) <= 0) continue;
    if (waiting[1].revents != 0) output.drain();
    if (waiting[2].revents != 0) errors.drain();
    // Its end, not that of its pipes: a grandchild may keep those open for ever.
    if (waiting[0].revents != 0) return true;
  }
}

}  // namespace

Result<CommandEnd> Children::run(const RootFolder& root, const Command& command) {
  reap_left_behind();
  if (command.argv.empty()) return fail("no command given");
  const std::string& name = command.argv.front();
  const auto context = [&](Error error) {
    return std::unexpected(in_context(std::move(error), "cannot run " + name));
  };
  auto program = root.real_path(name);
  if (!program) return context(std::move(program).error());
  auto input = make_input(command.input);
  if (!input) return context(std::move(input).error());
  auto out = make_pipe();
  if (!out) return context(std::move(out).error());
  auto err = make_pipe();
  if (!err) return context(std::move(err).error());

  // A link's own name decides what a multi-call program does, so that name is what runs where nothing is
  // rooted.
  const std::string path = root.rooted() ? root.path() + *program : name;
  const Instant deadline = boot_time() + command.deadline;
  pid_t pid = 0;
  const int refused = Spawn().start(pid, path, command.argv, environment_for(root),
                                    {input->get(), out->write.get(), err->write.get()});
  if (refused != 0) return fail_errno(refused, "cannot run " + name);
  out->write.reset();
  err->write.reset();

  const Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd) return unwatched(pid, name);
  Capture output(std::move(out->read));
  Capture errors(std::move(err->read));
  CommandEnd end;
  end.deadline = command.deadline;
  bool ended = wait_for_end(pidfd.get(), output, errors, deadline);
  const bool in_time = ended;
  if (!ended) {
    // The group is our child's own, and its number cannot be given to another before we have reaped the
    // child.
    static_cast<void>(::kill(-pid, SIGKILL));  // fails only when nothing of it is left
    ended = wait_for_end(pidfd.get(), output, errors, boot_time() + kAfterKill);
  }
  output.drain();
  errors.drain();
  end.output = output.take();
  end.errors = errors.take();
  if (!ended || !reap(pid, end)) {
    const std::lock_guard held(mutex_);
    left_behind_.push_back(pid);
  }
  if (!in_time) {
    end.how = CommandEnd::How::timed_out;
    end.code = 0;
  }
  return end;
}

/// No descriptor is left to wait with: ended at once, since nobody would keep its deadline.
std::unexpected<Error> Children::unwatched(pid_t pid, const std::string& name) {
  const int error = errno;
  static_cast<void>(::kill(-pid, SIGKILL));
  const std::lock_guard held(mutex_);
  left_behind_.push_back(pid);
  return fail_errno(error, fmt::format("cannot watch {}, which was ended", name));
}

void Children::reap_left_behind() {
  const std::lock_guard held(mutex_);
  std::erase_if(left_behind_, [](pid_t pid) {
    CommandEnd ignored;
    return reap(pid, ignored);
  });
}

}  // namespace interlock
