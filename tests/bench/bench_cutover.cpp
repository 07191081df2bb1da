#include <fmt/format.h>

#include <ranges>

#include "act/cutover.h"
#include "act/journal.h"
#include "bench/benches.h"
#include "decide/two_v620.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"
#include "tree.h"

namespace interlock::bench {
namespace {

/// The engine alone: a mocked host in memory answers at once, and its own work is in the figure, too.
void measure_engine(Table& table, int runs) {
  const Policy policy = two_v620::policy();
  const mocks::Model start = [] {
    mocks::MockHost host(mocks::two_v620());
    host.poke("/usr/sbin/pct", "");
    return host.model();
  }();
  std::size_t changes = 0;
  std::size_t questions = 0;
  const Measured time = measure(runs, [&] {
    mocks::MockHost host(start);
    const std::size_t before = host.model().calls.size();
    const auto report =
        act::cut_over(host, policy, "to-qwen38fn", {.without_guard = true}, [](const act::StepReport&) {});
    insist(report.result == act::CutoverResult::done, "the cutover was to be done");
    changes = questions = 0;
    for (const mocks::PctCall& call : host.model().calls | std::views::drop(before)) {
      const bool asks = call.text.contains(" systemctl show ");
      ++(asks ? questions : changes);
    }
  });
  table.add(
      {.what = fmt::format("to-qwen38fn, commands and waiting aside: {} pct calls that change, {} that ask",
                           changes, questions),
       .time = time,
       .budget = std::chrono::milliseconds(50)});
}

/// On the disk below the temporary folder, synced: what each step waits for twice.
void measure_journal(Table& table, int runs) {
  tests::Tree tree;
  auto journal = act::Journal::create(tree.host(), "to-qwen38fn");
  insist(journal.has_value(), "a journal was to be made");
  const JournalRecord record{"intent", {{"step", 7}, {"what", "set_limits of container 123"}}};
  table.add({.what = "a record of the journal, synced to the disk",
             .time = measure(
                 runs, [&] { insist(journal->write(record).has_value(), "a record was to be written"); })});
}

}  // namespace

void bench_cutover(Table& table, int runs) {
  measure_engine(table, runs);
  measure_journal(table, runs);
}

}  // namespace interlock::bench
