#include <unistd.h>

#include <vector>

#include "catch.h"
#include "daemon/asked_child.h"
#include "daemon/lines.h"

using namespace interlock;
using namespace interlock::daemon;
using namespace std::chrono_literals;

namespace {

constexpr Duration kPatience = 20s;  // of a test that fails

/// Asks a child one question after the other, and keeps what came of each.
struct Bench {
  explicit Bench(std::function<std::string(std::string_view)> work)
      : child(
            *loop, left_behind, "test",
            [this, work = std::move(work)] {
              ++begun;
              return AskedChild::fork([work] { return answer_lines(work); });
            },
            [this](std::string& bytes) {
              const auto line = next_line(bytes);
              if (!line) return;
              child.answered();
              answers.push_back(*line);
            },
            [this](const std::string& why) { misses.push_back(why); }) {}

  void ask(const std::string& question, Duration patience = kPatience) {
    child.ask(question + "\n", patience);
    while (child.awaiting()) REQUIRE(sd_event_run(loop->raw(), kPatience / 1us) > 0);
  }

  std::unique_ptr<EventLoop> loop = *EventLoop::make();
  LeftBehind left_behind{*loop};
  int begun = 0;
  std::vector<std::string> answers;
  std::vector<std::string> misses;
  AskedChild child;
};

std::string echo(std::string_view question) {
  if (question == "hang") {
    for (;;) ::pause();
  }
  if (question == "die") ::_exit(3);
  return "heard " + std::string(question);
}

}  // namespace

TEST_CASE("a child that stays answers one question after the other, and is begun once (design, section 10)") {
  Bench bench(echo);
  CHECK_FALSE(bench.child.begun());
  for (const char* question : {"one", "", "three"}) bench.ask(question);
  CHECK(bench.answers == std::vector<std::string>{"heard one", "heard ", "heard three"});
  CHECK(bench.begun == 1);
  CHECK(bench.misses.empty());
}

TEST_CASE("an answer that is longer than a pipe holds comes whole, and so does the next one") {
  Bench bench([](std::string_view question) { return std::string(300'000, 'x') + std::string(question); });
  bench.ask("1");
  bench.ask("2");
  REQUIRE(bench.answers.size() == 2);
  CHECK(bench.answers[0].size() == 300'001);
  CHECK(bench.answers[1].ends_with("x2"));
}

TEST_CASE(
    "a child that hangs is missed at its deadline, and the next question goes to another (design, 11.10)") {
  Bench bench(echo);
  const Instant begin = bench.loop->now();
  bench.ask("hang", 300ms);
  CHECK(bench.loop->now() - begin >= 300ms);
  CHECK(bench.misses == std::vector<std::string>{"no answer within 300 ms"});
  CHECK(bench.child.late() == 1);
  CHECK_FALSE(bench.child.begun());
  bench.ask("again");
  CHECK(bench.answers == std::vector<std::string>{"heard again"});
  CHECK(bench.begun == 2);
}

TEST_CASE("a child that ends without an answer is missed, never taken for one that saw nothing") {
  Bench bench(echo);
  bench.ask("die");
  CHECK(bench.misses == std::vector<std::string>{"it ended by itself"});
  CHECK(bench.answers.empty());
  CHECK(bench.child.late() == 0);
  bench.ask("again");
  CHECK(bench.answers == std::vector<std::string>{"heard again"});
}

TEST_CASE("what a child says that was sent to rest is not heard any more") {
  Bench bench(echo);
  bench.child.ask("old\n", kPatience);
  bench.child.rest();
  CHECK_FALSE(bench.child.awaiting());
  bench.ask("new");
  CHECK(bench.answers == std::vector<std::string>{"heard new"});
  CHECK(bench.misses.empty());
}

TEST_CASE("while two of a kind hang in the kernel no third is begun") {
  Bench bench(echo);
  // Killed, and not seen to have ended before the loop runs.
  const auto sleep = [] {
    for (;;) ::pause();
    return 0;
  };
  for (int i = 0; i < 2; ++i) {
    auto child = fork_child({}, sleep);
    REQUIRE(child);
    bench.left_behind.take(*std::move(child), "test");
  }
  CHECK(bench.child.hung() == 2);
  bench.ask("anybody?");
  CHECK(bench.begun == 0);
  CHECK(bench.misses == std::vector<std::string>{"2 of them hang in the kernel, and no other is begun"});
}
