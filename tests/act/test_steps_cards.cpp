// A card's lines come in pairs, and what reads them may fail at any time: a release takes out all lines of
// its plan or none (I5; verification.md, section 3).
#include <fmt/format.h>

#include <algorithm>

#include "act/step.h"
#include "catch.h"
#include "decide/plan.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"
#include "observe/host_state.h"
#include "shipped_policy.h"

using namespace interlock;
using namespace interlock::tests;
using mocks::Fault;
using mocks::MockHost;
using mocks::Operation;

namespace {

const PciAddress kGpu2 = *PciAddress::parse("0000:83:00.0");
const Vmid k123 = *Vmid::parse("123");

mocks::Model stopped_host() {
  MockHost host(mocks::two_v620());
  host.machine().kill_container(123);
  host.machine().pass(std::chrono::seconds(5));
  return host.model();
}

/// gpu2 from 123, as it is planned while nothing fails.
Step release_of(const mocks::Model& from) {
  MockHost host(from);
  const auto seen = observe::look_at_container(host, shipped_policy(), k123, false);
  REQUIRE(seen);
  Step step;
  step.kind = StepKind::release_cards;
  step.container = k123;
  step.cards = {kGpu2};
  for (const Binding& binding : decide::bindings_giving(*seen, step.cards))
    step.lines.push_back(binding.line);
  return step;
}

act::Outcome carried_out(MockHost& host, const Step& step) {
  act::Run run(host, shipped_policy(), "20261130T021407Z-to-qwen38fn");
  return act::carry_out(run, step);
}

std::ptrdiff_t standing(const MockHost& host, const Step& step) {
  return std::ranges::count_if(
      step.lines, [&](const std::string& line) { return host.model().config(123)->contains(line + "\n"); });
}

std::vector<Operation> reads_of(const mocks::Model& from, const Step& step) {
  std::vector<Operation> reads;
  MockHost host(from);
  host.choose = [&](const Operation& it) {
    if (!it.mutating) reads.push_back(it);
    return Fault{};
  };
  REQUIRE(carried_out(host, step).done);
  return reads;
}

}  // namespace

TEST_CASE("whatever one read of a release answers, it takes out all lines of its plan or none (I5)") {
  const mocks::Model from = stopped_host();
  const Step step = release_of(from);
  REQUIRE(step.lines.size() == 2);
  const auto reads = reads_of(from, step);
  CHECK(reads.size() > 50);
  for (const Operation& read : reads) {
    for (const auto kind : {Fault::Kind::fail, Fault::Kind::garbage, Fault::Kind::hang, Fault::Kind::old}) {
      MockHost host(from);
      host.choose = [&](const Operation& it) {
        return Fault{it.index == read.index ? kind : Fault::Kind::none, 0, false};
      };
      const act::Outcome outcome = carried_out(host, step);
      INFO(fmt::format("{} {} {}: {}", mocks::to_string(kind), mocks::to_string(read.kind), read.text,
                       outcome.seen));
      const auto left = standing(host, step);
      CHECK((left == 0 || left == 2));
      CHECK((!outcome.done || left == 0));
    }
  }
}
