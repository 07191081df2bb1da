#include <signal.h>

#include "catch.h"
#include "host/child.h"
#include "tree.h"

using namespace interlock;
using namespace std::chrono_literals;
using tests::Tree;

namespace {

Result<CommandEnd> shell(Host& host, const std::string& script, Duration deadline = 20s,
                         std::string input = {}) {
  return host.run({.argv = {"/bin/sh", "-c", script}, .input = std::move(input), .deadline = deadline});
}

std::unique_ptr<Host> machine() {
  return *make_linux_host("/");
}

}  // namespace

TEST_CASE("output, errors and exit status come back apart") {
  const auto host = machine();
  const auto end = shell(*host, "echo out; echo CT is locked '(backup)' >&2; exit 255");
  REQUIRE(end);
  CHECK(end->how == CommandEnd::How::exited);
  CHECK(end->code == 255);
  CHECK(end->output == "out\n");
  CHECK(end->errors == "CT is locked (backup)\n");
  CHECK(!end->success());
  CHECK(end->text() == "exit status 255: CT is locked (backup)");
}

TEST_CASE("a command gets a clean environment: nothing of ours leaks into a container (pct.md 1.9)") {
  ::setenv("NOTIFY_SOCKET", "/run/systemd/notify", 1);
  const auto host = machine();
  const auto end = host->run({.argv = {"/usr/bin/env"}, .input = {}, .deadline = 20s});
  ::unsetenv("NOTIFY_SOCKET");
  REQUIRE(end);
  CHECK(end->output == "PATH=/sbin:/bin:/usr/sbin:/usr/bin\nLC_ALL=C\nLANG=C\nHOME=/\n");
}

TEST_CASE("a command has three descriptors, unblocked default signals and the folder /") {
  const int leaked = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as a library might
  const auto before = ::signal(SIGPIPE, SIG_IGN);    // as a daemon does, and a child must not inherit
  const auto host = machine();
  const auto fds = host->run({.argv = {"/bin/ls", "/proc/self/fd"}, .input = {}, .deadline = 20s});
  const auto folder = host->run({.argv = {"/bin/pwd"}, .input = {}, .deadline = 20s});
  const auto signals = host->run(
      {.argv = {"/bin/grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"}, .input = {}, .deadline = 20s});
  ::signal(SIGPIPE, before);
  ::close(leaked);
  REQUIRE((fds && folder && signals));
  CHECK(fds->output == "0\n1\n2\n3\n");  // 3 is the listing itself
  CHECK(folder->output == "/\n");
  // Two real-time signals are the C library's own affair.
  CHECK(signals->output.starts_with("SigBlk:\t0000000000000000\nSigIgn:\t"));
  CHECK(signals->output.ends_with("0000000\n"));
}

TEST_CASE("a command's process group is its own, so that ending it ends nobody else (two-v620 failure 12)") {
  const auto host = machine();
  const auto end = shell(*host, "cut -d' ' -f1,5 /proc/$$/stat");
  REQUIRE(end);
  const auto space = end->output.find(' ');
  CHECK(end->output.substr(0, space) + "\n" == end->output.substr(space + 1));
}

TEST_CASE("standard input is empty, or the text given, whatever its length") {
  const auto host = machine();
  CHECK(shell(*host, "cat")->output.empty());
  CHECK(shell(*host, "cat", 20s, "{\"event\":\"trip\"}")->output == "{\"event\":\"trip\"}");
  CHECK(shell(*host, "true", 20s, std::string(500'000, 'x'))->success());
  CHECK(shell(*host, "wc -c", 20s, std::string(500'000, 'x'))->output == "500000\n");
}

TEST_CASE("output beyond 1 MiB is read and dropped: a talkative command neither hangs nor fills our memory") {
  const auto host = machine();
  const auto end = shell(*host, "head -c 3000000 /dev/zero; echo said >&2");
  REQUIRE(end);
  CHECK(end->success());
  CHECK(end->output.size() == std::size_t{1} << 20);
  CHECK(end->errors == "said\n");
}

TEST_CASE("a command without an answer is ended at its deadline, with all of its group (case U08)") {
  const auto host = machine();
  const Instant before = host->now();
  const auto end = shell(*host, "sleep 1000 & sleep 1000", 50ms);
  REQUIRE(end);
  CHECK(end->how == CommandEnd::How::timed_out);
  CHECK(end->text() == "no answer within 0.05 s");
  CHECK(host->now() - before < 10s);
}

TEST_CASE("a grandchild that keeps the pipes open hangs nobody: what counts is the command's own end") {
  const auto host = machine();
  const Instant before = host->now();
  const auto end = shell(*host, "setsid sleep 30 & echo done", 20s);
  REQUIRE(end);
  CHECK(end->success());
  CHECK(end->output == "done\n");
  CHECK(host->now() - before < 10s);
}

TEST_CASE("a command ended by a signal is told from one that exits") {
  const auto host = machine();
  const auto end = shell(*host, "kill -TERM $$");
  REQUIRE(end);
  CHECK(end->how == CommandEnd::How::signalled);
  CHECK(end->code == SIGTERM);
  CHECK(end->text() == "ended by signal 15 (Terminated)");
}

TEST_CASE("a program that is not there is an error, not an exit status") {
  const auto host = machine();
  const auto end = host->run({.argv = {"/usr/sbin/no-such-pct", "list"}, .input = {}, .deadline = 1s});
  REQUIRE(!end);
  CHECK(is_missing(end.error()));
  CHECK(end.error().message.find("/usr/sbin/no-such-pct") != std::string::npos);
  CHECK(!host->run({.argv = {}, .input = {}, .deadline = 1s}));
  CHECK(!host->run({.argv = {"sh"}, .input = {}, .deadline = 1s}));  // no search in PATH
}

TEST_CASE("below a root folder the folder's own program runs, and is told where it is") {
  Tree tree;
  tree.script("/usr/share/stand-in", "#!/bin/sh\necho \"$1 in $GPU_INTERLOCK_ROOT\"\n")
      .link("/usr/sbin/pct", "/usr/share/stand-in");
  const auto end = tree.host().run({.argv = {"/usr/sbin/pct", "list"}, .input = {}, .deadline = 20s});
  REQUIRE(end);
  CHECK(end->output == "list in " + tree.root() + "\n");
  CHECK(is_missing(tree.host().run({.argv = {"/bin/sh"}, .input = {}, .deadline = 1s}).error()));
}

TEST_CASE("long complaints are cut to their end, where the error stands, and hold no control characters") {
  CommandEnd end;
  end.code = 1;
  end.errors = std::string(1000, 'x') + "\n\nfailed:\t\x1b[31mred\n";
  CHECK(end.text().ends_with("; failed:\\x09\\x1b[31mred"));
  CHECK(end.text().size() < 450);
}
