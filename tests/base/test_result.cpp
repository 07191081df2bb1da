#include <cerrno>
#include <memory>

#include "base/result.h"
#include "catch.h"

using namespace interlock;

namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail("{} is odd", number);
  return number / 2;
}

Result<int> quarter(int number) {
  const int first = TRY(half(number));
  return TRY(half(first));
}

Result<void> check(int number) {
  TRY(half(number));
  return {};
}

Result<std::unique_ptr<int>> made(int number) {
  return std::make_unique<int>(TRY(quarter(number)));
}

}  // namespace

TEST_CASE("an error leaves the function that met it, a value goes on") {
  CHECK(quarter(8) == 2);
  CHECK(quarter(6).error().message == "3 is odd");
  CHECK(check(4));
  CHECK(check(5).error().message == "5 is odd");
  CHECK(**made(4) == 1);
}

TEST_CASE("an error tells what was tried, and keeps its errno while the sentence grows") {
  const Error error = fail_errno(ENOENT, "cannot open /etc/pve/lxc/120.conf").error();
  CHECK(error.message == "cannot open /etc/pve/lxc/120.conf: No such file or directory");
  CHECK(error.code == ENOENT);
  const Error outer = in_context(error, "container 120");
  CHECK(outer.message == "container 120: cannot open /etc/pve/lxc/120.conf: No such file or directory");
  CHECK(outer.code == ENOENT);
}

TEST_CASE("context is added to an error and not to a value") {
  CHECK(in_context(half(4), "halving") == 2);
  CHECK(in_context(half(5), "halving").error().message == "halving: 5 is odd");
}

TEST_CASE("not there is told from every other failure") {
  CHECK(is_missing({.message = "", .code = ENOENT}));
  CHECK(is_missing({.message = "", .code = ENOTDIR}));
  for (const int code : {0, EACCES, EPERM, EIO, ESRCH, ELOOP})
    CHECK(!is_missing({.message = "", .code = code}));
}
