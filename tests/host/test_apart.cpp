// A read that hangs in the kernel holds up only the child that made it (amdgpu.md, 1.7).
#include <unistd.h>

#include <cerrno>

#include "catch.h"
#include "host/linux_host.h"
#include "tree.h"

using namespace interlock;
using namespace std::chrono_literals;
using tests::Tree;

TEST_CASE("what is looked at apart comes back whole, and its doing stays in the child") {
  Tree tree;
  int looks = 0;
  const std::string longer_than_a_pipe(300'000, 'x');
  const auto text = tree.host().apart(
      [&] {
        ++looks;
        return longer_than_a_pipe;
      },
      10s);
  REQUIRE(text);
  CHECK(*text == longer_than_a_pipe);
  CHECK(looks == 0);
  CHECK(tree.host().apart([] { return std::string(); }, 10s) == std::string());
}

TEST_CASE("the child sees the host as we do, and holds no lock of ours") {
  Tree tree;
  tree.file("/sys/value", "62000\n");
  const auto held = tree.host().lock("/lock", 0s);
  REQUIRE(held);
  const auto seen = tree.host().apart(
      [&] {
        const auto value = tree.host().read_file("/sys/value");
        return value ? *value : value.error().message;
      },
      10s);
  CHECK(seen == std::string("62000\n"));
}

TEST_CASE("who never comes back is given up when its time is over, and is no answer") {
  Tree tree;
  const auto begin = tree.host().now();
  const auto text = tree.host().apart(
      []() -> std::string {
        for (;;) ::pause();
      },
      50ms);
  REQUIRE(!text);
  CHECK(text.error().code == ETIMEDOUT);
  CHECK(tree.host().now() - begin >= 50ms);
}

TEST_CASE("who dies half way has given no whole answer, and is not waited for") {
  Tree tree;
  const auto text = tree.host().apart([]() -> std::string { ::_exit(3); }, 600s);
  REQUIRE(text);
  CHECK(text->empty());
}

TEST_CASE(
    "a terminal's ^C is for us, not for the child that we wait for: it is in a process group of its own") {
  Tree tree;
  const auto leads =
      tree.host().apart([] { return std::string(::getpgrp() == ::getpid() ? "yes" : "no"); }, 10s);
  CHECK(leads == std::string("yes"));
}
