#include <fmt/format.h>

#include "bench/benches.h"
#include "decide/findings.h"
#include "decide/two_v620.h"
#include "observe/host_state.h"

namespace interlock::bench {
namespace {

/// A host of many containers, and what the audit needs to look at it.
class Audited {
 public:
  explicit Audited(const Size& size) : size_(size) { write_host_of_containers(tree_, size); }

  HostState look() {
    auto state = observe::look(tree_.host(), policy_, {.second_opinion = true});
    insist(state && state->containers.size() == static_cast<std::size_t>(size_.containers),
           "all were to be seen");
    return *std::move(state);
  }
  void judge(const HostState& state) const {
    insist(!decide::audit(state, policy_).findings.empty(), "there is no guard");
  }

 private:
  Size size_;
  tests::Tree tree_;
  Policy policy_ = two_v620::policy();
};

}  // namespace

void bench_audit(Table& table, const Size& size, int runs) {
  Audited host(size);
  table.add({.what = fmt::format("audit of {} containers, from reading to findings", size.containers),
             .time = measure(runs, [&] { host.judge(host.look()); }),
             .budget = std::chrono::milliseconds(150)});
  const HostState state = host.look();
  table.add({.what = "its decisions alone", .time = measure(runs, [&] { host.judge(state); })});
}

void audit_as_it_grows(Table& table, int runs) {
  for (const int containers : {10, 100, 500, 2000}) {
    Audited host({.containers = containers});
    table.add({.what = fmt::format("audit of {} containers", containers),
               .time = measure(runs, [&] { host.judge(host.look()); }),
               .grows = "audit, by containers",
               .with = containers});
  }
}

}  // namespace interlock::bench
