#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "base/fd.h"
#include "blackbox.h"

namespace interlock::tests {
namespace {

using Clock = std::chrono::steady_clock;

std::string program_path(const std::string& word) {
  return word.find('/') == std::string::npos ? std::string(BINARY_DIR) + "/" + word : word;
}

/// What a program gets of the environment: what the test says, not what the machine happens to have.
std::vector<std::string> environment() {
  return {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent"};
}

struct Pipe {
  Fd reading;
  Fd writing;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe for the test");
    reading = Fd(ends[0]);
    writing = Fd(ends[1]);
  }
};

pid_t spawn(const Words& words, int out, int err) {
  std::vector<std::string> held = words;
  held[0] = program_path(words[0]);
  std::vector<std::string> settings = environment();
  std::vector<char*> arguments;
  std::vector<char*> variables;
  for (std::string& word : held) arguments.push_back(word.data());
  for (std::string& setting : settings) variables.push_back(setting.data());
  arguments.push_back(nullptr);
  variables.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, held[0].c_str(), &actions, nullptr, arguments.data(), variables.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot run " + held[0]);
  return pid;
}

int exit_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Fd open_log(const std::string& path) {
  Fd file(::open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600));
  if (!file) throw std::runtime_error("cannot write " + path);
  return file;
}

/// What is there to read now, appended; false at the end.
bool take(const Fd& from, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(from.get(), buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

nlohmann::json Ran::json() const {
  try {
    return nlohmann::json::parse(out);
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error("not one JSON object (" + std::string(error.what()) + "):\n" + out + err);
  }
}

Ran run(const Words& words, std::chrono::seconds limit) {
  Pipe out;
  Pipe err;
  const pid_t pid = spawn(words, out.writing.get(), err.writing.get());
  out.writing.reset();
  err.writing.reset();
  Ran ran;
  bool more_out = true;
  bool more_err = true;
  const auto end = Clock::now() + limit;
  while (more_out || more_err) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    std::array<pollfd, 2> ends{pollfd{more_out ? out.reading.get() : -1, POLLIN, 0},
                               pollfd{more_err ? err.reading.get() : -1, POLLIN, 0}};
    if (left <= 0 || ::poll(ends.data(), ends.size(), static_cast<int>(left)) == 0) {
      static_cast<void>(::kill(pid, SIGKILL));  // a child of ours that has not been waited for
      static_cast<void>(::waitpid(pid, nullptr, 0));
      throw std::runtime_error(words[0] + " did not end in time:\n" + ran.out + ran.err);
    }
    if (ends[0].revents != 0) more_out = take(out.reading, ran.out);
    if (ends[1].revents != 0) more_err = take(err.reading, ran.err);
  }
  int status = 0;
  if (::waitpid(pid, &status, 0) != pid) throw std::runtime_error("lost " + words[0]);
  ran.exit = exit_of(status);
  return ran;
}

Running::Running(const Words& words, const std::string& log, const std::string& errors) {
  const Fd out = open_log(log);
  const Fd err = open_log(errors.empty() ? log : errors);
  pid_ = spawn(words, out.get(), err.get());
}

Running::~Running() {
  if (pid_ > 0) end();
}

void Running::signal(int number) {
  if (!ended())
    static_cast<void>(::kill(pid_, number));  // it is not waited for yet, so the number is its own
}

bool Running::ended() {
  if (pid_ < 0) return true;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
  exit_ = exit_of(status);
  pid_ = -1;
  return true;
}

int Running::end(std::chrono::seconds patience) {
  signal(SIGTERM);
  if (!eventually([this] { return ended(); }, patience)) {
    signal(SIGKILL);
    eventually([this] { return ended(); }, patience);
  }
  return exit_;
}

bool eventually(const std::function<bool()>& so, std::chrono::seconds limit) {
  const auto end = Clock::now() + limit;
  for (;;) {
    if (so()) return true;
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace interlock::tests
