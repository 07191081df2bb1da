#include "base/text.h"
#include "catch.h"
#include "daemon/metrics.h"

using namespace interlock;
using namespace interlock::daemon;
using namespace std::chrono_literals;

namespace {

GuardMetrics two_cards() {
  GuardMetrics metrics;
  metrics.lateness = 1500us;
  metrics.cards.push_back({.id = *CardId::parse("gpu1"),
                           .pci = *PciAddress::parse("0000:03:00.0"),
                           .state = GuardState::tripped,
                           .verdicts = {Verdict{VerdictKind::measured, Celsius::from_milli(103'500), {}, {}},
                                        Verdict{VerdictKind::unreadable, std::nullopt, {}, "EIO"}},
                           .sample_age = 250ms,
                           .trips = 2,
                           .sheds = 3,
                           .readers_replaced = 4,
                           .readers_hung = 1});
  metrics.cards.push_back({.id = *CardId::parse("gpu2"),
                           .pci = *PciAddress::parse("0000:83:00.0"),
                           .state = GuardState::absent,
                           .verdicts = {},
                           .sample_age = std::nullopt,
                           .trips = 0,
                           .sheds = 0,
                           .readers_replaced = 0,
                           .readers_hung = 0});
  return metrics;
}

bool has_line(const std::string& text, std::string_view line) {
  for (const auto one : lines_of(text)) {
    if (one == line) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("metrics: a temperature that is not believed has no value at all, never 0 (two-v620 failure 4)") {
  const std::string text = metrics_text(two_cards());
  CHECK(has_line(
      text, R"(gpu_interlock_temperature_celsius{card="gpu1",pci="0000:03:00.0",channel="junction"} 103.5)"));
  CHECK(text.find(R"(temperature_celsius{card="gpu1",pci="0000:03:00.0",channel="memory"})") ==
        std::string::npos);
  CHECK(text.find(R"(temperature_celsius{card="gpu2")") == std::string::npos);
  CHECK(text.find(R"(sample_age_seconds{card="gpu2")") == std::string::npos);
}

TEST_CASE("metrics: exactly one state and one verdict hold at a time") {
  const std::string text = metrics_text(two_cards());
  CHECK(has_line(text, R"(gpu_interlock_state{card="gpu1",pci="0000:03:00.0",state="tripped"} 1)"));
  CHECK(has_line(text, R"(gpu_interlock_state{card="gpu1",pci="0000:03:00.0",state="guarding"} 0)"));
  CHECK(has_line(
      text,
      R"(gpu_interlock_verdict{card="gpu1",pci="0000:03:00.0",channel="memory",verdict="unreadable"} 1)"));
  CHECK(has_line(
      text,
      R"(gpu_interlock_verdict{card="gpu1",pci="0000:03:00.0",channel="memory",verdict="measured"} 0)"));
}

TEST_CASE("metrics: the format is what a scraper takes: help, type, then values, each line whole") {
  const std::string text = metrics_text(two_cards());
  CHECK(text.ends_with("\n"));
  std::string family;
  for (const auto line : lines_of(text)) {
    INFO(line);
    if (line.starts_with("# HELP gpu_interlock_")) continue;
    if (line.starts_with("# TYPE ")) {
      family = std::string(words(line)[2]);
      const auto type = words(line)[3];
      CHECK((type == "gauge" || type == "counter"));
      CHECK((type == "counter") == family.ends_with("_total"));
      continue;
    }
    CHECK(line.starts_with(family));
    CHECK(words(line).size() == 2);
  }
  CHECK(has_line(text, "gpu_interlock_loop_lateness_seconds 0.0015"));
  CHECK(has_line(text, R"(gpu_interlock_trips_total{card="gpu1",pci="0000:03:00.0"} 2)"));
}
