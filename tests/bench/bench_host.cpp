// The budgets of the design (section 10) that looking and deciding have, each with what it takes here and
// now. Budgets are for a host, so for what the kernel's own /proc takes; a folder that stands for one has
// other calls.
//   bench_host           everything, as large as the budgets say; exit 1 when one is not kept
//   bench_host --short   a small host and one run of each: does it work at all
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "act/cutover.h"
#include "bench/crowd.h"
#include "bench/made_host.h"
#include "bench/stopwatch.h"
#include "decide/findings.h"
#include "decide/plan.h"
#include "decide/proof.h"
#include "decide/two_v620.h"
#include "host/linux_host.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"
#include "observe/holders.h"
#include "observe/host_state.h"

namespace {

using namespace interlock;
using namespace interlock::bench;

constexpr Bytes kIdleMemory = 64 * kMiB;

void insist(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

class Table {
 public:
  Table() { row("what", "median", "CPU", "budget", "ratio"); }

  void add(const std::string& what, const Measured& time, std::optional<Duration> budget = {}) {
    const double ratio = budget ? milliseconds(time.wall) / milliseconds(*budget) : 0;
    kept_ = kept_ && ratio <= 1;
    row(what, text(time.wall), time.cpu == Duration::zero() ? "" : text(time.cpu),
        budget ? text(*budget) : "", budget ? fmt::format("{:.2f}{}", ratio, ratio > 1 ? " over" : "") : "");
  }
  bool kept() const { return kept_; }

 private:
  static double milliseconds(Duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
  }
  static std::string text(Duration time) { return fmt::format("{:.2f} ms", milliseconds(time)); }
  static void row(std::string_view what, std::string_view median, std::string_view cpu,
                  std::string_view budget, std::string_view ratio) {
    std::cout << fmt::format("{:<66} {:>12} {:>12} {:>10}  {}", what, median, cpu, budget, ratio)
              << std::endl;
  }

  bool kept_ = true;
};

/// What people do without this product.
Measured shell_pipeline(Host& shell_host, int runs, const std::string& root) {
  const Command command{
      .argv = {"/bin/sh", "-c", "ls -l " + root + "/proc/[0-9]*/fd 2>/dev/null | grep renderD"},
      .input = {},
      .deadline = std::chrono::minutes(1)};
  Measured time = measure(std::min(runs, 3), [&] {
    insist(shell_host.run(command).has_value(), "the shell could not be started");
  });
  time.cpu = {};  // its children's
  return time;
}

void bench_holders(Table& table, Host& shell_host, const Size& size, int runs) {
  tests::Tree tree;
  write_busy_host(tree, size);
  const auto nodes = observe::card_nodes(tree.host());
  const auto find = [&](const std::optional<std::set<Vmid>>& containers) {
    const auto found = observe::find_holders(tree.host(), nodes, kIdleMemory, containers);
    insist(found && found->holders.size() == 2 && found->unknown.empty(), "two holders were to be found");
  };
  const std::string crowd =
      fmt::format("{} processes, {} descriptors", size.processes, size.processes * size.descriptors);
  table.add("all holders, " + crowd + ", in a folder", measure(runs, [&] { find(std::nullopt); }));
  const Vmid k120 = *Vmid::parse("120");
  const Vmid k123 = *Vmid::parse("123");
  table.add(fmt::format("  holders in the 2 containers that bind a card, {} processes", size.in_containers),
            measure(runs, [&] { find(std::set{k120, k123}); }));
  table.add(fmt::format("  holders in 1 of them, {} processes", size.in_containers / 2), measure(runs, [&] {
              const auto found = observe::find_holders(tree.host(), nodes, kIdleMemory, std::set{k120});
              insist(found && found->holders.size() == 1, "one holder was to be found");
            }));
  table.add("  the same by `ls -l ROOT/proc/[0-9]*/fd | grep renderD`",
            shell_pipeline(shell_host, runs, tree.root()));
}

/// No program that looks at each descriptor can do with less: its calls alone, and nothing kept of them.
void look_at_every_descriptor() {
  const Fd proc(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto each_name = [](int folder, auto use) {
    alignas(dirent64) std::array<char, 32768> buffer;
    for (ssize_t got = 0; (got = ::getdents64(folder, buffer.data(), buffer.size())) > 0;) {
      for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
        const auto& entry = *reinterpret_cast<const dirent64*>(buffer.data() + at);
        at += entry.d_reclen;
        use(entry.d_name);
      }
    }
  };
  each_name(proc.get(), [&](const char* name) {
    if (name[0] < '1' || name[0] > '9') return;
    const std::string descriptors = std::string(name) + "/fd";
    const Fd folder(::openat(proc.get(), descriptors.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    each_name(folder.get(), [&](const char* number) {
      struct statx status{};
      static_cast<void>(::statx(folder.get(), number, AT_STATX_DONT_SYNC, STATX_TYPE, &status));
    });
  });
}

void bench_real_holders(Table& table, Host& host, const Size& size, int runs) {
  Crowd crowd(size.processes, size.descriptors);
  const auto nodes = observe::card_nodes(host);
  const auto find = [&](const std::optional<std::set<Vmid>>& containers) {
    insist(observe::find_holders(host, nodes, kIdleMemory, containers).has_value(), "/proc was to be read");
  };
  table.add(fmt::format("all holders, {} processes, {} descriptors, of this kernel's /proc", crowd.size(),
                        crowd.size() * size.descriptors),
            measure(runs, [&] { find(std::nullopt); }), std::chrono::milliseconds(60));
  table.add("  the limit: one statx(2) for each descriptor, and no more",
            measure(runs, look_at_every_descriptor));
  table.add("  the same by `ls -l /proc/[0-9]*/fd | grep renderD`", shell_pipeline(host, runs, ""));

  const Vmid container = *Vmid::parse("999999999");  // the last number that Proxmox gives
  for (const std::string tree : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
    if (!host.info(tree + "/cgroup.procs")) continue;
    if (!crowd.move_into(tree + "/lxc/" + container.text(), size.in_containers)) break;
    table.add(
        fmt::format("holders in a container's cgroup, {} processes, of this kernel's", size.in_containers),
        measure(runs, [&] { find(std::set{container}); }), std::chrono::milliseconds(2));
    return;
  }
  std::cout << "LEFT OUT: no cgroup of version 2 can be made here for a container's processes" << std::endl;
}

void bench_audit(Table& table, const Size& size, int runs) {
  tests::Tree tree;
  write_host_of_containers(tree, size);
  const Policy policy = two_v620::policy();
  const auto look = [&] {
    auto state = observe::look(tree.host(), policy, {.second_opinion = true});
    insist(state && state->containers.size() == static_cast<std::size_t>(size.containers),
           "all were to be seen");
    return *std::move(state);
  };
  table.add(
      fmt::format("audit of {} containers, from reading to findings", size.containers),
      measure(runs, [&] { insist(!decide::audit(look(), policy).findings.empty(), "there is no guard"); }),
      std::chrono::milliseconds(150));
  const HostState state = look();
  table.add("  its decisions alone", measure(runs, [&] {
              insist(!decide::audit(state, policy).findings.empty(), "there is no guard");
            }));
}

/// two-v620 with five more containers that no cutover names.
HostState eight_containers() {
  HostState state = two_v620::normal();
  for (int vmid = 130; vmid < 135; ++vmid) {
    Container more = *state.container(two_v620::k121);
    more.vmid = *Vmid::parse(std::to_string(vmid));
    state.containers.push_back(more);
  }
  return state;
}

void bench_plan(Table& table, int runs) {
  const Policy policy = two_v620::policy();
  const HostState state = eight_containers();
  std::size_t steps = 0;
  const Measured time = measure(runs, [&] {
    const auto plan = decide::plan(state, policy, two_v620::to_qwen38fn(), "c1");
    insist(plan.has_value(), "there was to be a plan");
    insist(decide::prove(state, policy, *plan).holds(), "the plan was to be proved");
    steps = plan->steps.size();
  });
  table.add(fmt::format("plan and proof, {} cards, {} containers, {} steps", state.cards.size(),
                        state.containers.size(), steps),
            time, std::chrono::milliseconds(5));
}

/// The engine alone: a mocked host in memory answers at once, and its own work is in the figure, too.
void bench_cutover(Table& table, int runs) {
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
  table.add(fmt::format("to-qwen38fn, commands and waiting aside: {} pct calls that change, {} that ask",
                        changes, questions),
            time, std::chrono::milliseconds(50));
}

}  // namespace

int main(int argc, char** argv) {
  const bool brief = argc > 1 && std::string_view(argv[1]) == "--short";
  const Size size =
      brief ? Size{.processes = 40, .descriptors = 10, .in_containers = 20, .containers = 10} : Size{};
  const int runs = brief ? 1 : 9;
  try {
    auto host = make_linux_host("/");
    insist(host.has_value(), "the host was to be opened");
    Table table;
    bench_holders(table, **host, size, runs);
    bench_real_holders(table, **host, size, runs);
    bench_audit(table, size, runs);
    bench_plan(table, runs);
    bench_cutover(table, runs);
    return table.kept() || brief ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::cerr << "bench_host: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
