// Ledger, latch and keepsake on disk.
#include "act/keepsake_file.h"
#include "act/latch_file.h"
#include "act/ledger_file.h"
#include "catch.h"
#include "host/paths.h"
#include "mocks/mock_host.h"

using namespace interlock;
using namespace interlock::act;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;

namespace {

const PciAddress kCard = *PciAddress::parse("0000:03:00.0");
const Vmid k120 = *Vmid::parse("120");

mocks::Model empty_host() {
  mocks::Model model;
  model.folders = {"/var/lib", "/run"};
  return model;
}

void strike(MockHost& host, mocks::OperationKind where, Fault::Kind how) {
  host.choose = [=](const mocks::Operation& it) {
    return Fault{it.kind == where ? how : Fault::Kind::none, 0, false};
  };
}

}  // namespace

TEST_CASE("no ledger file is an empty ledger; what was written is read back") {
  MockHost host(empty_host());
  CHECK(read_ledger(host)->empty());
  const Ledger ledger{{kCard, Owner::held_by("id")}};
  REQUIRE(write_ledger(host, ledger).has_value());
  CHECK(*read_ledger(host) == ledger);
}

TEST_CASE("a ledger that was not written although the write said so is noticed (success without effect)") {
  MockHost host(empty_host());
  REQUIRE(write_ledger(host, {}).has_value());
  strike(host, mocks::OperationKind::replace_file, Fault::Kind::no_effect);
  CHECK_FALSE(write_ledger(host, {{kCard, Owner::of(k120)}}).has_value());
}

TEST_CASE("a write that failed is an error even where its content arrived: it may not be durable") {
  MockHost host(empty_host());
  strike(host, mocks::OperationKind::replace_file, Fault::Kind::fail_after);
  CHECK_FALSE(write_ledger(host, {{kCard, Owner::of(k120)}}).has_value());
}

TEST_CASE("a changed ledger is an error, and no empty ledger") {
  MockHost host(empty_host());
  REQUIRE(write_ledger(host, {{kCard, Owner::of(k120)}}).has_value());
  std::string text = *host.peek(paths::kLedger);
  text.back() = ' ';
  host.poke(paths::kLedger, text);
  CHECK_FALSE(read_ledger(host).has_value());
}

TEST_CASE("a latch stays until it is cleared; one that cannot be read is a latch all the same") {
  MockHost host(empty_host());
  CHECK_FALSE(read_latch(host, kCard).has_value());
  REQUIRE(
      set_latch(host, kCard, {TripReason::over_temperature, "junction 103.0 C", "now", false}).has_value());
  REQUIRE(read_latch(host, kCard).has_value());
  CHECK_FALSE(read_latch(host, kCard)->damaged);
  host.poke(paths::latch(kCard), "");
  CHECK(read_latch(host, kCard)->damaged);
  strike(host, mocks::OperationKind::read_file, Fault::Kind::fail);
  CHECK(read_latch(host, kCard)->damaged);
  host.choose = nullptr;
  REQUIRE(clear_latch(host, kCard).has_value());
  CHECK_FALSE(read_latch(host, kCard).has_value());
  CHECK(clear_latch(host, kCard).has_value());
}

TEST_CASE("a latch that was not removed is not said to be cleared") {
  MockHost host(empty_host());
  REQUIRE(set_latch(host, kCard, {}).has_value());
  strike(host, mocks::OperationKind::remove_file, Fault::Kind::no_effect);
  CHECK_FALSE(clear_latch(host, kCard).has_value());
}

TEST_CASE("a keepsake is kept until it is empty, and then leaves no file behind") {
  MockHost host(empty_host());
  CHECK(*read_keepsake(host, k120) == Keepsake{});
  Keepsake kept;
  kept.lines[kCard] = {"lxc.mount.entry: a", "dev0: b"};
  REQUIRE(write_keepsake(host, k120, kept).has_value());
  CHECK(*read_keepsake(host, k120) == kept);
  REQUIRE(write_keepsake(host, k120, {}).has_value());
  CHECK_FALSE(host.peek(paths::keepsake(k120)).has_value());
}
