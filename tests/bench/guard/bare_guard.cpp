#include "bare_guard.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <array>

#include "forked.h"

namespace interlock::tests {
namespace {

constexpr std::size_t kRecord = 121;  // what a sample of two channels takes

void read_when_asked(const std::vector<std::string>& files, int asked, int answer) {
  std::vector<int> kept;
  for (const std::string& file : files) kept.push_back(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, kRecord> record{};
  while (::read(asked, record.data(), 1) == 1) {
    for (const int fd : kept) {
      if (::pread(fd, record.data(), record.size(), 0) <= 0) return;
    }
    if (::write(answer, record.data(), record.size()) != static_cast<ssize_t>(record.size())) return;
  }
}

void ask_all(const std::vector<int>& asks, const std::vector<int>& answers) {
  std::array<char, kRecord> record{};
  for (timespec half{.tv_sec = 0, .tv_nsec = 500'000'000};;) {
    if (::nanosleep(&half, nullptr) != 0) return;
    for (const int ask : asks) {
      if (::write(ask, "?", 1) != 1) return;
    }
    for (const int answer : answers) {
      if (::read(answer, record.data(), record.size()) <= 0) return;
    }
  }
}

}  // namespace

BareGuard::BareGuard(const std::vector<std::vector<std::string>>& files) {
  std::vector<int> asks;
  std::vector<int> answers;
  for (const auto& card : files) {
    const Pipe ask = make_pipe();
    const Pipe answer = make_pipe();
    processes_.push_back(forked([&] { read_when_asked(card, ask.read, answer.write); }));
    ::close(ask.read);
    ::close(answer.write);
    asks.push_back(ask.write);
    answers.push_back(answer.read);
  }
  processes_.push_back(forked([&] { ask_all(asks, answers); }));
  for (const int fd : asks) ::close(fd);
  for (const int fd : answers) ::close(fd);
}

BareGuard::~BareGuard() {
  end_all(processes_);
}

}  // namespace interlock::tests
