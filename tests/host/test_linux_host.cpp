#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.h"
#include "host/linux_host.h"
#include "host/process_stat.h"
#include "tree.h"

using namespace interlock;
using namespace std::chrono_literals;
using tests::Tree;

TEST_CASE("a signal reaches the process that was meant, and never a later one with its number") {
  const auto host = *make_linux_host("/");
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  const auto stat = parse_process_stat(*host->read_file("/proc/" + std::to_string(child) + "/stat"));
  REQUIRE(stat);

  const auto other = host->signal({child, stat->started + 1}, SIGKILL);
  REQUIRE(!other);
  CHECK(other.error().code == ESRCH);
  CHECK(::waitpid(child, nullptr, WNOHANG) == 0);  // still there

  CHECK(host->signal({child, stat->started}, SIGKILL));
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WTERMSIG(status) == SIGKILL);
  CHECK(host->signal({child, stat->started}, SIGKILL).error().code == ESRCH);
}

TEST_CASE("below a root folder no signal is sent: its process numbers are nobody's") {
  Tree tree;
  CHECK(tree.host().signal({::getpid(), 1}, 0).error().code == EPERM);
}

TEST_CASE("time runs on, and waiting waits") {
  const auto host = *make_linux_host("/");
  const Instant before = host->now();
  host->wait(3ms);
  CHECK(host->now() - before >= 3ms);
  host->wait(-1s);
  const std::string wall = host->wall_clock();
  CHECK(wall.size() == 20);
  CHECK(wall[10] == 'T');
  CHECK(wall.back() == 'Z');
}
