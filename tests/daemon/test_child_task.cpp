#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "catch.h"
#include "daemon/child_task.h"

using namespace interlock;
using namespace interlock::daemon;
using namespace std::chrono_literals;

namespace {

constexpr Duration kPatience = 20s;  // of a test that fails

/// A loop that a test runs until its children have answered.
struct Bench {
  std::unique_ptr<EventLoop> loop = *EventLoop::make();
  LeftBehind left_behind{*loop};
  std::vector<std::string> lines;
  std::optional<std::string> end;
  std::unique_ptr<ChildTask> task;

  void start(Duration deadline, const std::function<int()>& work) {
    auto started = ChildTask::start(
        *loop, left_behind, {.what = "test", .deadline = loop->now() + deadline}, work,
        [this](std::string_view line) { lines.emplace_back(line); },
        [this](const std::string& trouble) {
          end = trouble;
          task.reset();
          loop->stop(0);
        });
    REQUIRE(started);
    task = *std::move(started);
  }
  void run() {
    Timer limit = loop->timer([this] { loop->stop(1); });
    limit.at(loop->now() + kPatience);
    CHECK(loop->run() == 0);
  }
};

}  // namespace

TEST_CASE("a child's lines arrive whole and in order, and then its end") {
  Bench bench;
  bench.start(kPatience, [] {
    for (int i = 0; i < 2000; ++i) {
      if (!answer_line("line " + std::to_string(i))) return 1;
    }
    return answer_line(std::string(300'000, 'x')) ? 0 : 1;
  });
  bench.run();
  REQUIRE(bench.lines.size() == 2001);
  CHECK(bench.lines[1234] == "line 1234");
  CHECK(bench.lines[2000].size() == 300'000);
  CHECK(bench.end == "");
}

TEST_CASE("a child that fails says how, and half a line of it is no line") {
  Bench bench;
  bench.start(kPatience, [] {
    static_cast<void>(answer_line("whole"));
    static_cast<void>(::write(STDOUT_FILENO, "half", 4));
    return 3;
  });
  bench.run();
  CHECK(bench.lines == std::vector<std::string>{"whole"});
  CHECK(bench.end == "exit status 3");
}

TEST_CASE("a child that hangs is given up at its deadline, with what it said till then") {
  Bench bench;
  const Instant begin = bench.loop->now();
  bench.start(300ms, [] {
    static_cast<void>(answer_line("before"));
    for (;;) ::pause();
    return 0;
  });
  bench.run();
  CHECK(bench.loop->now() - begin >= 300ms);
  CHECK(bench.lines == std::vector<std::string>{"before"});
  CHECK(bench.end == "it had not answered at its deadline");
}

TEST_CASE("a child that is killed and gone is taken off the list of those left behind") {
  const auto loop = *EventLoop::make();
  LeftBehind left_behind(*loop);
  auto child = fork_child({}, [] {
    for (;;) ::pause();
    return 0;
  });
  REQUIRE(child);
  left_behind.take(*std::move(child), "test");
  CHECK(left_behind.count("test") == 1);
  CHECK(left_behind.count("another") == 0);
  int tries = 0;
  Timer look;
  look = loop->timer([&] {
    if (left_behind.count() == 0) return loop->stop(0);
    if (++tries > 4000) return loop->stop(1);
    look.at(loop->now() + std::chrono::milliseconds(5));
  });
  look.at(loop->now());
  CHECK(loop->run() == 0);
}

TEST_CASE("a child holds no lock of ours: one that cannot be killed must not keep it from the next daemon") {
  char path[] = "/tmp/lock-of-ours-XXXXXX";
  const int lock = ::mkstemp(path);
  REQUIRE(lock >= 0);
  REQUIRE(::flock(lock, LOCK_EX) == 0);
  Bench bench;
  std::optional<bool> free_again;
  auto started = ChildTask::start(
      *bench.loop, bench.left_behind, {.what = "test", .deadline = bench.loop->now() + kPatience},
      [] {
        static_cast<void>(answer_line("up"));
        for (;;) ::pause();
        return 0;
      },
      [&](std::string_view) {
        // The child is past its beginning; our own descriptor goes, as it would with us.
        ::close(lock);
        const int again = ::open(path, O_RDWR | O_CLOEXEC);
        free_again = ::flock(again, LOCK_EX | LOCK_NB) == 0;
        ::close(again);
        bench.loop->stop(0);
      },
      [](const std::string&) {});
  REQUIRE(started);
  bench.task = *std::move(started);
  bench.run();
  CHECK(free_again == true);
  ::unlink(path);
}

TEST_CASE("a child has default signals: SIGTERM ends it, though we take it by our loop") {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  REQUIRE(::sigprocmask(SIG_BLOCK, &blocked, &before) == 0);
  Bench bench;
  bench.start(kPatience, [] {
    ::raise(SIGTERM);
    return 0;
  });
  bench.run();
  CHECK(bench.end == "signal 15");
  REQUIRE(::sigprocmask(SIG_SETMASK, &before, nullptr) == 0);
}

TEST_CASE("alarms come in the order of their times, never before, and one may set itself again") {
  Bench bench;
  std::vector<int> order;
  const Instant begin = bench.loop->now();
  Timer second = bench.loop->timer([&] {
    CHECK(bench.loop->now() >= begin + 40ms);
    order.push_back(2);
    bench.loop->stop(0);
  });
  int times = 0;
  Timer first;
  first = bench.loop->timer([&] {
    CHECK(bench.loop->now() >= begin + 20ms);
    order.push_back(1);
    if (++times < 2) first.at(begin + 20ms);
  });
  Timer never = bench.loop->timer([&] { order.push_back(9); });
  second.at(begin + 40ms);
  first.at(begin + 20ms);
  never.at(begin + 30ms);
  never.off();
  bench.run();
  CHECK(order == std::vector<int>{1, 1, 2});
}
