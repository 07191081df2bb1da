#include "catch.h"
#include "model/state_text.h"

using namespace interlock;

namespace {

const PciAddress kCard1 = *PciAddress::parse("0000:03:00.0");
const CardId kGpu1 = *CardId::parse("gpu1");
const CardId kGpu2 = *CardId::parse("gpu2");

Keepsake keepsake() {
  Keepsake kept;
  kept.lines[kCard1] = {"lxc.mount.entry: /dev/dri/renderD129 dev/dri/renderD129 none bind", "dev0: caf\xe9"};
  kept.onboot = std::optional<std::string>("1");
  return kept;
}

GuardReport report() {
  GuardReport said;
  said.fresh = true;
  said.judged_at = instant_from_ns(123456789);
  said.states = {{kGpu1, GuardState::warning}, {kGpu2, GuardState::blind}};
  said.reasons = {{kGpu2, "no card in the slot"}};
  Verdict hot{VerdictKind::measured, Celsius::from_milli(96500), instant_from_ns(123), ""};
  Verdict blind{VerdictKind::unreadable, std::nullopt, instant_from_ns(124), "Input/output error"};
  said.verdicts[kGpu1] = {hot, std::nullopt};
  said.verdicts[kGpu2] = {std::nullopt, blind};
  return said;
}

}  // namespace

TEST_CASE("a latch is read back as it was written") {
  const Latch latch{TripReason::over_temperature, "junction 103.0 C, at or above 102.0 C",
                    "2026-11-30T02:14:07Z", false};
  const Latch back = parse_latch(latch_text(latch));
  CHECK(back.reason == latch.reason);
  CHECK(back.why == latch.why);
  CHECK(back.tripped == latch.tripped);
  CHECK_FALSE(back.damaged);
}

TEST_CASE("a latch file that cannot be understood is a damaged latch, never no latch (design, section 4)") {
  const std::string good = latch_text({TripReason::blind, "why", "when", false});
  for (std::size_t length = 0; length < good.size(); ++length) {
    INFO("first " << length << " bytes");
    CHECK(parse_latch(good.substr(0, length)).damaged);
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string changed = good;
    changed[at] ^= 1;
    INFO("byte " << at);
    CHECK(parse_latch(changed).damaged);
  }
  CHECK(parse_latch("cleared by hand").damaged);
  CHECK_FALSE(parse_latch("").why.empty());
}

TEST_CASE("a keepsake gives back exactly the lines that were taken, and tells absent from not taken (I5)") {
  Keepsake kept = keepsake();
  CHECK(parse_keepsake(keepsake_text(kept)) == kept);
  kept.onboot = std::optional<std::string>{};  // the key was absent
  CHECK(parse_keepsake(keepsake_text(kept)) == kept);
  kept.onboot.reset();  // it was not taken
  CHECK(parse_keepsake(keepsake_text(kept)) == kept);
  CHECK(parse_keepsake(keepsake_text({})) == Keepsake{});
}

TEST_CASE("a keepsake with any single byte changed, or cut off, is an error") {
  const std::string good = keepsake_text(keepsake());
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string changed = good;
    changed[at] ^= 1;
    INFO("byte " << at);
    CHECK_FALSE(parse_keepsake(changed).has_value());
    CHECK_FALSE(parse_keepsake(good.substr(0, at)).has_value());
  }
}

TEST_CASE("the guard's report is read back as it was written; whether it runs only its lock can tell") {
  const auto back = parse_guard(guard_text(report(), "boot-1"), "boot-1");
  REQUIRE(back.has_value());
  CHECK(back->running == Truth::unknown);
  CHECK(back->fresh);
  CHECK(back->judged_at == report().judged_at);
  CHECK(back->states == report().states);
  CHECK(back->reasons == report().reasons);
  CHECK(back->verdicts == report().verdicts);
}

TEST_CASE("a guard report of an earlier boot is no report: its instants mean nothing now") {
  CHECK_FALSE(parse_guard(guard_text(report(), "boot-1"), "boot-2").has_value());
}

TEST_CASE("a guard report that is cut off, or says what is not known, is an error") {
  const std::string good = guard_text(report(), "b");
  for (std::size_t length = 0; length + 1 < good.size(); ++length) {
    CHECK_FALSE(parse_guard(good.substr(0, length), "b").has_value());
  }
  const auto with = [&](std::string_view what, std::string_view instead) {
    std::string text = good;
    return text.replace(text.find(what), what.size(), instead);
  };
  CHECK_FALSE(parse_guard(with("\"warning\"", "\"fine\""), "b").has_value());
  CHECK_FALSE(parse_guard(with("\"measured\"", "\"believed\""), "b").has_value());
  CHECK_FALSE(parse_guard(with("\"measured\"", "\"parked\""), "b").has_value());
  CHECK_FALSE(parse_guard(with("96500", "\"hot\""), "b").has_value());
  CHECK_FALSE(parse_guard(with("\"schema\":1", "\"schema\":2"), "b").has_value());
}
