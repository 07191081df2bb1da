// The budgets of the design (section 10) that looking and deciding have, each with what it takes here and
// now, what people use today, and what no program can do without. Budgets are for a host, so for what the
// kernel's own /proc takes; a folder that stands for one has other calls.
//   bench_host             everything, as large as the budgets say; exit 1 when one is not kept
//   bench_host --growth    how each grows with what there is to look at
//   bench_host --short     a small host and one run of each: does it work at all
//   --json FILE            and writes what it measured there
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "bench/benches.h"
#include "host/linux_host.h"

namespace {

using namespace interlock::bench;

struct Options {
  bool brief = false;
  bool growth = false;
  std::string json;
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int at = 1; at < argc; ++at) {
    const std::string_view word = argv[at];
    if (word == "--short") {
      options.brief = true;
    } else if (word == "--growth") {
      options.growth = true;
    } else if (word == "--json" && at + 1 < argc) {
      options.json = argv[++at];
    } else {
      return std::nullopt;
    }
  }
  return options;
}

void measure_all(Table& table, interlock::Host& host, bool brief) {
  const Size size =
      brief ? Size{.processes = 40, .descriptors = 10, .in_containers = 20, .containers = 10} : Size{};
  const int runs = brief ? 1 : 9;
  bench_poll(table, host, runs);
  bench_holders(table, host, size, runs);
  bench_audit(table, size, runs);
  bench_plan(table, runs);
  bench_cutover(table, runs);
}

void measure_growth(Table& table, interlock::Host& host) {
  constexpr int kRuns = 5;
  holders_as_they_grow(table, host, kRuns);
  audit_as_it_grows(table, kRuns);
  plan_as_it_grows(table, kRuns);
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = parse(argc, argv);
  if (!options) {
    std::cerr << "usage: bench_host [--short | --growth] [--json FILE]\n";
    return 2;
  }
  try {
    const auto host = interlock::make_linux_host("/");
    insist(host.has_value(), "the host was to be opened");
    Table table;
    if (options->growth) {
      measure_growth(table, **host);
    } else {
      measure_all(table, **host, options->brief);
    }
    if (!options->json.empty()) table.write_json(options->json);
    return table.kept() || options->brief ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::cerr << "bench_host: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
