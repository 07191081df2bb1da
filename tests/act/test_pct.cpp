#include "act/pct.h"
#include "catch.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"

using namespace interlock;
using namespace interlock::act;
using namespace std::chrono_literals;
using interlock::mocks::MockHost;

namespace {

const Vmid k120 = *Vmid::parse("120");

std::string last_call(const MockHost& host) {
  return host.model().calls.back().text;
}

}  // namespace

TEST_CASE("settings go in one call: values set, missing ones deleted, the digest that was read with them") {
  MockHost host(mocks::two_v620());
  Pct pct(host);
  static_cast<void>(
      pct.set(k120, {{"cores", "48"}, {"swap", std::nullopt}, {"onboot", std::nullopt}}, "abc", 30s));
  CHECK(last_call(host) == "set 120 --cores 48 --delete onboot,swap --digest abc");
}

TEST_CASE("a command for a container stands behind --, so that its options are not pct's (pct.md 1.0)") {
  MockHost host(mocks::two_v620());
  Pct pct(host);
  static_cast<void>(pct.systemctl(k120, {"disable", "--now", "llamacpp.service"}, 30s));
  CHECK(last_call(host) == "exec 120 -- systemctl disable --now llamacpp.service");
}

TEST_CASE("a shutdown that is obeyed is not followed by a hard stop") {
  MockHost host(mocks::two_v620());
  Pct pct(host);
  const auto calls = host.model().calls.size();
  REQUIRE(pct.shut_down(k120, 90s)->success());
  CHECK(host.model().calls.size() == calls + 1);
  CHECK_FALSE(host.model().container(120)->running());
}

TEST_CASE("a container that does not obey is stopped hard at the end of its time") {
  MockHost host(mocks::two_v620());
  host.model().container(120)->obeys_shutdown = false;
  Pct pct(host);
  static_cast<void>(pct.shut_down(k120, 90s));
  CHECK_FALSE(host.model().container(120)->running());
}

TEST_CASE("a shutdown that failed without an effect is followed by the hard stop behind it") {
  MockHost host(mocks::two_v620());
  host.choose = [](const mocks::Operation& it) {
    return mocks::Fault{it.text.contains("shutdown") ? mocks::Fault::Kind::fail : mocks::Fault::Kind::none, 0,
                        false};
  };
  Pct pct(host);
  static_cast<void>(pct.shut_down(k120, 90s));
  CHECK(last_call(host) == "stop 120");
  CHECK_FALSE(host.model().container(120)->running());
}

TEST_CASE("lines that pct sets are told from raw ones that only an edit can change") {
  CHECK(key_of_line("dev0: /dev/dri/renderD128,gid=44") == "dev0");
  CHECK(value_of_line("dev0: /dev/dri/renderD128,gid=44") == "/dev/dri/renderD128,gid=44");
  CHECK(key_of_line("mp3:  /srv,mp=/srv") == "mp3");
  CHECK(key_of_line("lxc.mount.entry: /dev/dri dev/dri none bind").empty());
  CHECK(key_of_line("no key").empty());
}
