// `watch` as a person has it, on a terminal of its own, and as a script does.
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include <csignal>
#include <stdexcept>

#include "blackbox.h"
#include "catch.h"

using namespace interlock::tests;

namespace {

/// A program on a terminal of 24 lines and 100 columns.
class OnTerminal {
 public:
  explicit OnTerminal(const MockedHost& host) {
    winsize size{.ws_row = 24, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
    if (::openpty(&ours_, &theirs_, nullptr, nullptr, &size) != 0) throw std::runtime_error("no terminal");
    ::tcgetattr(theirs_, &before_);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::login_tty(theirs_);
      ::setenv("LC_ALL", "C.UTF-8", 1);
      ::execl(BINARY_DIR "/gpu-interlock", "gpu-interlock", "--root", host.root().c_str(), "watch",
              "--interval", "200ms", nullptr);
      ::_exit(127);
    }
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;
  ~OnTerminal() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(ours_);
    ::close(theirs_);
  }

  /// Reads on until `part` has come.
  bool shows(const std::string& part) {
    return eventually([&] {
      pollfd asked{.fd = ours_, .events = POLLIN, .revents = 0};
      char bytes[4096];
      if (::poll(&asked, 1, 100) == 1) {
        const ssize_t got = ::read(ours_, bytes, sizeof bytes);
        if (got > 0) seen_.append(bytes, static_cast<std::size_t>(got));
      }
      return seen_.find(part) != std::string::npos;
    });
  }
  void type(char key) {
    if (::write(ours_, &key, 1) != 1) throw std::runtime_error("the terminal takes no key");
  }
  /// As waitpid(2) gives it.
  int end() {
    int status = -1;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }
  bool as_before() const {
    termios now{};
    ::tcgetattr(theirs_, &now);
    return now.c_lflag == before_.c_lflag && now.c_iflag == before_.c_iflag;
  }

 private:
  int ours_ = -1;
  int theirs_ = -1;
  pid_t pid_ = -1;
  termios before_{};
  std::string seen_;
};

const std::string kBack = "\x1b[?25h\x1b[?1049l";  // the cursor, and the screen that was there before

}  // namespace

TEST_CASE("watch shows a card that heats up, ends on q, and gives the terminal back as it was") {
  const MockedHost host;
  OnTerminal watch(host);
  CHECK(watch.shows("\x1b[?1049h"));
  CHECK(watch.shows("junction"));
  host.mock("heat", {"gpu1", "97", "70"});
  CHECK(watch.shows("97.0 C"));
  CHECK(watch.shows("warning"));
  CHECK_FALSE(watch.as_before());
  watch.type('q');
  CHECK(watch.shows(kBack));
  const int status = watch.end();
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(watch.as_before());
}

TEST_CASE("Ctrl-C ends watch at once, and the terminal is as it was") {
  const MockedHost host;
  OnTerminal watch(host);
  CHECK(watch.shows("gpu2"));
  watch.type('\x03');
  CHECK(watch.shows(kBack));
  const int status = watch.end();
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
  CHECK(watch.as_before());
}

TEST_CASE("watch follows a guard that watches, and its latch") {
  const MockedHost host;
  const auto guard = host.guard();
  OnTerminal watch(host);
  CHECK(watch.shows("the guard watches"));
  host.mock("heat", {"gpu1", "108", "70"});
  CHECK(watch.shows("latched"));
  watch.type('q');
  CHECK(WIFEXITED(watch.end()));
}

TEST_CASE("in a pipe watch prints status as often as it is told to, and as JSON it is one object") {
  const MockedHost host;
  const Ran ran = host.text({"watch", "--count", "2", "--interval", "200ms"});
  CHECK(ran.exit == 0);
  CHECK(ran.out.find('\x1b') == std::string::npos);
  const auto first = ran.out.find("CARD ");
  REQUIRE(first != std::string::npos);
  CHECK(ran.out.find("CARD ", first + 1) != std::string::npos);
  CHECK(host.cli({"watch"}).json().at("cards").size() == 2);
  CHECK(host.cli({"watch", "--interval", "0s"}).exit == 2);
  CHECK(host.cli({"watch", "--count", "0"}).exit == 2);
}
