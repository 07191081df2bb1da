#include <fcntl.h>
#include <unistd.h>

#include <optional>

#include "base/fd.h"
#include "catch.h"

using namespace interlock;

namespace {
int opened() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}
bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) >= 0;
}
}  // namespace

TEST_CASE("a descriptor is closed with its owner") {
  int number = -1;
  {
    const Fd fd(opened());
    number = fd.get();
    REQUIRE(fd);
    CHECK(is_open(number));
  }
  CHECK(!is_open(number));
  CHECK(!Fd());
}

TEST_CASE("a moved descriptor has one owner, and an assigned-over one does not outlive it") {
  std::optional<Fd> first(opened());
  const int one = first->get();
  Fd second(opened());
  const int two = second.get();
  second = std::move(*first);
  CHECK(second.get() == one);
  first.reset();
  CHECK(is_open(one));
  CHECK(!is_open(two));
  const Fd third(std::move(second));
  CHECK(third.get() == one);
}

TEST_CASE("release gives the descriptor away, reset closes it once") {
  Fd fd(opened());
  const int number = fd.release();
  CHECK(!fd);
  CHECK(is_open(number));
  Fd again(number);
  again.reset();
  again.reset();
  CHECK(!is_open(number));
}
