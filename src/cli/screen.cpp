#include "cli/screen.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace interlock::cli {
namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l";  // the other screen, no cursor
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";

// What a signal handler needs to give the terminal back; set before the handlers are.
termios found_settings;
termios our_settings;
bool have_keys = false;
volatile std::sig_atomic_t resized = 0;

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;  // the terminal is gone: nobody is left to be told
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void enter() {
  if (have_keys)
    static_cast<void>(::tcsetattr(STDIN_FILENO, TCSANOW, &our_settings));  // then keys wait for Enter
  write_all(kEnter);
}

void leave() {
  write_all(kLeave);
  if (have_keys) static_cast<void>(::tcsetattr(STDIN_FILENO, TCSANOW, &found_settings));  // nobody to be told
}

/// write(2), tcsetattr(3), signal(2) and raise(3) may be called here: signal-safety(7).
void end_by_signal(int number) {
  leave();
  static_cast<void>(std::signal(number, SIG_DFL));  // fails only for a wrong number
  static_cast<void>(std::raise(number));            // as above; delivered when this handler returns
}

/// ^Z: the shell gets its terminal back, and we get ours with `fg`.
void stop_by_signal(int) {
  const int before = errno;
  leave();
  static_cast<void>(std::raise(SIGSTOP));  // goes on here after SIGCONT
  enter();
  resized = 1;
  errno = before;
}

void note_resize(int) {
  resized = 1;
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  static_cast<void>(::sigaction(number, &action, nullptr));  // fails only for a wrong number
}

bool is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<Screen>> Screen::open(bool keys) {
  have_keys = keys;
  if (keys) {
    if (::tcgetattr(STDIN_FILENO, &found_settings) != 0) return fail_errno(errno, "cannot ask the terminal");
    our_settings = found_settings;
    our_settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // ^C and ^Z stay signals
    our_settings.c_cc[VMIN] = 1;
    our_settings.c_cc[VTIME] = 0;
  }
  for (const int number : {SIGINT, SIGTERM, SIGQUIT, SIGHUP}) handle(number, end_by_signal);
  handle(SIGTSTP, stop_by_signal);
  handle(SIGWINCH, note_resize);
  enter();
  return std::unique_ptr<Screen>(new Screen(keys));
}

Screen::~Screen() {
  for (const int number : {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGTSTP, SIGWINCH}) handle(number, SIG_DFL);
  leave();
}

ScreenForm Screen::form() const {
  ScreenForm form{.unicode = is_utf8()};
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    form.columns = size.ws_col;
    form.rows = size.ws_row;
  }
  return form;
}

void Screen::show(const std::vector<std::string>& lines) {
  std::string text = "\x1b[H";
  for (std::size_t at = 0; at < lines.size(); ++at) text += (at == 0 ? "" : "\r\n") + lines[at] + "\x1b[K";
  write_all(text + "\x1b[J");
}

Screen::Event Screen::wait(Duration patience) {
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
  std::array<pollfd, 1> asked{{{.fd = keys_ ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0}}};
  const int ready = resized != 0 ? 0 : ::poll(asked.data(), asked.size(), static_cast<int>(milliseconds));
  if (resized != 0) {
    resized = 0;
    return Event::resized;
  }
  if (ready <= 0) return Event::time_over;
  char key = 0;
  const ssize_t got = ::read(STDIN_FILENO, &key, 1);
  if (got == 0) return Event::quit;  // the terminal is gone
  return got == 1 && (key == 'q' || key == 'Q') ? Event::quit : Event::resized;
}

}  // namespace interlock::cli
