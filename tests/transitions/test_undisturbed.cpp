// Nothing goes wrong: each cutover ends in exactly the state that was asked for, and touches nothing else.
#include "catch.h"
#include "mocks/config.h"
#include "model/ledger_text.h"
#include "model/state_text.h"
#include "scene.h"

using namespace interlock;
using interlock::mocks::MockHost;

namespace {

const PciAddress kCard2 = *PciAddress::parse("0000:83:00.0");

const mocks::Unit& unit(const MockHost& host, int vmid, std::string_view name) {
  return *mocks::find_unit(host.model().container(vmid)->units, name);
}

std::size_t pct_calls(const MockHost& host, std::size_t before) {
  return host.model().calls.size() - before;
}

std::string ledger_of(const MockHost& host) {
  std::string text;
  const auto ledger = parse_ledger(*host.peek("/var/lib/gpu-interlock/ledger"));
  for (const auto& [card, owner] : *ledger) {
    text += card.text() + " " + owner.text() + "; ";
  }
  return text;
}

}  // namespace

TEST_CASE(
    "to-qwen38fn: 120 serves the large model with both cards, 123 is stopped without a card or autostart") {
  MockHost host(scene::start());
  const std::size_t calls = host.model().calls.size();
  const auto report = scene::run(host, "to-qwen38fn");
  INFO(scene::text_of(report));
  REQUIRE(report.result == act::CutoverResult::done);
  CHECK(scene::text_of(host.breaches()) == "");

  const auto c120 = mocks::parse(*host.model().config(120)).main;
  const auto c123 = mocks::parse(*host.model().config(123));
  CHECK(c120.keys.at("cores") == "48");
  CHECK(c120.keys.at("memory") == "163840");
  CHECK(c120.keys.at("swap") == "0");
  CHECK(c120.keys.at("onboot") == "1");
  CHECK(c120.raw.size() == 5);
  CHECK(c123.main.raw.size() == 1);  // the device rule alone
  CHECK(c123.main.keys.at("onboot") == "0");
  REQUIRE(c123.snapshots.size() == 1);
  CHECK(c123.snapshots[0].raw.size() == 1);
  CHECK(unit(host, 120, "llamacpp.service").active == "inactive");
  CHECK(unit(host, 120, "llamacpp.service").file == "disabled");
  CHECK(unit(host, 120, "llamacpp-qwen38fn.service").active == "active");
  CHECK(unit(host, 120, "llamacpp-qwen38fn.service").file == "enabled");
  CHECK_FALSE(host.model().container(123)->running());
  CHECK(unit(host, 123, "llamacpp-qwen38fn.service").file == "enabled");  // its units stay as they are inside
  CHECK(ledger_of(host) == "0000:03:00.0 120; 0000:83:00.0 120; ");
  CHECK_FALSE(scene::has_open_journal(host.model()));
  WARN("to-qwen38fn: " << pct_calls(host, calls) << " pct calls, " << report.steps.size() << " steps");
}

TEST_CASE("there and back again: every byte of the configurations is as it was (I5)") {
  MockHost host(scene::large());
  const auto report = scene::run(host, "to-qwen36");
  INFO(scene::text_of(report));
  REQUIRE(report.result == act::CutoverResult::done);
  CHECK(scene::text_of(host.breaches()) == "");
  CHECK(scene::difference(scene::picture_of(host.model()), scene::picture_of(scene::start())) == "");
  for (const int vmid : {120, 121, 123}) CHECK(*host.model().config(vmid) == *scene::start().config(vmid));
  CHECK(ledger_of(host) == "0000:03:00.0 120; 0000:83:00.0 123; ");
  // What was kept for the way back has been given back, and is kept no more; 120's lines of gpu2 wait for the
  // next time.
  CHECK_FALSE(host.peek("/var/lib/gpu-interlock/keepsakes/123").has_value());
  const auto kept = parse_keepsake(*host.peek("/var/lib/gpu-interlock/keepsakes/120"));
  REQUIRE(kept.has_value());
  CHECK_FALSE(kept->onboot.has_value());
  CHECK(kept->lines.size() == 1);
  CHECK(kept->lines.contains(kCard2));
}

TEST_CASE("the bystander is never touched: its file, its processes and its units (two-v620: container 121)") {
  for (const scene::Course& course : scene::courses()) {
    MockHost host(course.from);
    const auto file = host.model().files.at(host.model().config_path(121));
    REQUIRE(scene::run(host, course.name).result == act::CutoverResult::done);
    CHECK(host.model().files.at(host.model().config_path(121)).version == file.version);
    for (const mocks::PctCall& call : host.model().calls) CHECK_FALSE(call.text.contains(" 121"));
  }
}

TEST_CASE("a target that holds already is unchanged, and leaves no trace") {
  MockHost host(scene::large());
  const auto files = host.model().files.size();
  const auto report = scene::run(host, "to-qwen38fn");
  CHECK(report.result == act::CutoverResult::unchanged);
  CHECK(act::exit_code(report.result) == 0);
  CHECK(host.model().files.size() == files);
}

TEST_CASE("recover with nothing open says so and touches nothing") {
  MockHost host(scene::large());
  CHECK(scene::recover(host).result == act::CutoverResult::unchanged);
}
