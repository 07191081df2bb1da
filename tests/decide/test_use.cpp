#include "catch.h"
#include "decide/use.h"

using namespace interlock;
using namespace interlock::decide;

namespace {

constexpr Pid kOwn = 500;

Holder holder(Pid pid, Truth uses) {
  return {.process = {pid, 1},
          .command = "llama-server",
          .card = *PciAddress::parse("0000:03:00.0"),
          .place = {.container = Vmid::parse("120"),
                    .unit = UnitName::parse("llamacpp.service"),
                    .cgroup = "/lxc/120/ns/system.slice/llamacpp.service",
                    .known = true,
                    .whole = true},
          .memory = std::nullopt,
          .engine_ns = std::nullopt,
          .kfd_memory = std::nullopt,
          .kfd_queue = false,
          .uses = uses};
}

}  // namespace

TEST_CASE("a card that nobody has open is not held and not used") {
  CHECK(use_of({}, {}, {}, kOwn) == Use{});
}

TEST_CASE("an idle holder holds the card and does not use it") {
  CHECK(use_of({holder(7, Truth::no)}, {}, {}, kOwn) == Use{.held = true, .sheddable = true});
}

TEST_CASE("a holder that cannot be told to be idle uses the card") {
  CHECK(use_of({holder(7, Truth::unknown)}, {}, {}, kOwn).used);
  CHECK(use_of({holder(7, Truth::no), holder(8, Truth::yes)}, {}, {}, kOwn).used);
}

TEST_CASE("memory alone is use, but no work: it may lie on a suspended card (11.5)") {
  CHECK_FALSE(use_of({holder(7, Truth::yes)}, {}, {}, kOwn).working);
}

TEST_CASE("a KFD queue is work, and so is engine time that grew between two looks") {
  Holder queue = holder(7, Truth::no);
  queue.kfd_queue = true;
  CHECK(use_of({queue}, {}, {}, kOwn).working);

  Holder before = holder(7, Truth::no);
  before.engine_ns = 1000;
  Holder now = before;
  CHECK_FALSE(use_of({now}, {before}, {}, kOwn).working);
  CHECK_FALSE(use_of({now}, {}, {}, kOwn).working);  // old engine time says nothing of now
  now.engine_ns = 1001;
  CHECK(use_of({now}, {before}, {}, kOwn).working);
  CHECK(use_of({now}, {before}, {}, kOwn).used);
  before.engine_ns.reset();  // the driver prints an engine only once it has worked (amdgpu.md 3.3)
  CHECK(use_of({now}, {before}, {}, kOwn).working);
}

TEST_CASE("engine time of an earlier process with the same number is another's") {
  Holder before = holder(7, Truth::no);
  before.engine_ns = 1000;
  Holder now = holder(7, Truth::no);
  now.process.started = 2;
  now.engine_ns = 5000;
  CHECK_FALSE(use_of({now}, {before}, {}, kOwn).working);
}

TEST_CASE("a process that may not be looked into may hold, use and work on every card") {
  const UnknownHolder unknown{.pid = 9, .place = {}, .why = "EACCES"};
  CHECK(use_of({}, {}, {unknown}, kOwn) ==
        Use{.held = true, .sheddable = true, .used = true, .working = true});
}

TEST_CASE("who is spared holds the card, but nothing waits for him to be shed (11.6)") {
  Holder idle_on_host = holder(7, Truth::no);
  idle_on_host.place.container.reset();
  const Use use = use_of({idle_on_host}, {}, {}, kOwn);
  CHECK(use.held);
  CHECK_FALSE(use.sheddable);
}
