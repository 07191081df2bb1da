#include "catch.h"
#include "host/file_lock.h"
#include "tree.h"

using namespace interlock;
using tests::Tree;

namespace {
constexpr const char* kLock = "/run/lock/lxc/pve-config-120.lock";
}

TEST_CASE("a lock keeps others out while it is held, and its folder need not be there after a boot") {
  Tree tree;
  CHECK(tree.host().is_locked(kLock) == false);
  CHECK(!tree.has(kLock));  // asking makes nothing
  {
    auto held = tree.host().lock(kLock, Duration::zero());
    REQUIRE(held);
    CHECK(tree.host().is_locked(kLock) == true);
    const auto second = tree.host().lock(kLock, std::chrono::milliseconds(5));
    REQUIRE(!second);
    CHECK(second.error().code == EWOULDBLOCK);
    CHECK(second.error().message.find(kLock) != std::string::npos);
  }
  CHECK(tree.host().is_locked(kLock) == false);
  CHECK(tree.host().lock(kLock, Duration::zero()));
}

TEST_CASE("two who only ask are in nobody's way: asking lets go at once") {
  Tree tree;
  tree.file(kLock, "");
  CHECK(tree.host().is_locked(kLock) == false);
  CHECK(tree.host().is_locked(kLock) == false);
  CHECK(tree.host().lock(kLock, Duration::zero()));
}

TEST_CASE(
    "a lock file removed while its lock is held does not let a second holder in unseen: the name is free") {
  Tree tree;
  const auto first = tree.host().lock(kLock, Duration::zero());
  REQUIRE(first);
  tree.remove(kLock);
  const auto second = tree.host().lock(kLock, Duration::zero());
  REQUIRE(second);
  CHECK(tree.host().is_locked(kLock) == true);
}
