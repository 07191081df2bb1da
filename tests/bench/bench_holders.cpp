#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <set>

#include "bench/benches.h"
#include "bench/crowd.h"
#include "observe/holders.h"

namespace interlock::bench {
namespace {

constexpr Bytes kIdleMemory = 64 * kMiB;

/// What people do without this product.
Measured shell_pipeline(Host& host, int runs, const std::string& root) {
  const Command command{
      .argv = {"/bin/sh", "-c", "ls -l " + root + "/proc/[0-9]*/fd 2>/dev/null | grep renderD"},
      .input = {},
      .deadline = std::chrono::minutes(1)};
  Measured time = measure(std::min(runs, 3),
                          [&] { insist(host.run(command).has_value(), "the shell could not be started"); });
  time.cpu = {};  // its children's
  return time;
}

void holders_in_a_folder(Table& table, Host& host, const Size& size, int runs) {
  tests::Tree tree;
  write_busy_host(tree, size);
  const auto nodes = observe::card_nodes(tree.host());
  const auto find = [&](const std::optional<std::set<Vmid>>& containers) {
    const auto found = observe::find_holders(tree.host(), nodes, kIdleMemory, containers);
    insist(found && found->holders.size() == 2 && found->unknown.empty(), "two holders were to be found");
  };
  const std::string crowd =
      fmt::format("{} processes, {} descriptors", size.processes, size.processes * size.descriptors);
  table.add({.what = "all holders, " + crowd + ", in a folder",
             .time = measure(runs, [&] { find(std::nullopt); })});
  const Vmid k120 = *Vmid::parse("120");
  const Vmid k123 = *Vmid::parse("123");
  table.add(
      {.what = fmt::format("holders in the 2 containers that bind a card, {} processes", size.in_containers),
       .time = measure(runs, [&] { find(std::set{k120, k123}); })});
  table.add({.what = fmt::format("holders in 1 of them, {} processes", size.in_containers / 2),
             .time = measure(runs, [&] {
               const auto found = observe::find_holders(tree.host(), nodes, kIdleMemory, std::set{k120});
               insist(found && found->holders.size() == 1, "one holder was to be found");
             })});
  table.add({.what = "the same by `ls -l ROOT/proc/[0-9]*/fd | grep renderD`",
             .time = shell_pipeline(host, runs, tree.root()),
             .kind = Row::Kind::peer});
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

/// Everybody's holders on this kernel; nobody of the crowd is one.
void look_everywhere(Host& host, const observe::CardNodes& nodes) {
  insist(observe::find_holders(host, nodes, kIdleMemory, std::nullopt).has_value(), "/proc was to be read");
}

void holders_in_a_cgroup(Table& table, Host& host, Crowd& crowd, int processes, int runs) {
  const auto nodes = observe::card_nodes(host);
  const Vmid container = *Vmid::parse("999999999");  // the last number that Proxmox gives
  for (const std::string tree : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
    if (!host.info(tree + "/cgroup.procs")) continue;
    if (!crowd.move_into(tree + "/lxc/" + container.text(), processes)) break;
    table.add(
        {.what = fmt::format("holders in a container's cgroup, {} processes, of this kernel's", processes),
         .time = measure(runs,
                         [&] {
                           const auto found =
                               observe::find_holders(host, nodes, kIdleMemory, std::set{container});
                           insist(found.has_value(), "/proc was to be read");
                         }),
         .budget = std::chrono::milliseconds(2)});
    return;
  }
  std::cout << "LEFT OUT: no cgroup of version 2 can be made here for a container's processes" << std::endl;
}

void holders_of_this_kernel(Table& table, Host& host, const Size& size, int runs) {
  Crowd crowd(size.processes, size.descriptors);
  const auto nodes = observe::card_nodes(host);
  table.add({.what = fmt::format("all holders, {} processes, {} descriptors, of this kernel's /proc",
                                 crowd.size(), crowd.size() * size.descriptors),
             .time = measure(runs, [&] { look_everywhere(host, nodes); }),
             .budget = std::chrono::milliseconds(60)});
  table.add({.what = "the limit: one statx(2) for each descriptor, and no more",
             .time = measure(runs, look_at_every_descriptor),
             .kind = Row::Kind::limit});
  table.add({.what = "the same by `ls -l /proc/[0-9]*/fd | grep renderD`",
             .time = shell_pipeline(host, runs, ""),
             .kind = Row::Kind::peer});
  holders_in_a_cgroup(table, host, crowd, size.in_containers, runs);
}

}  // namespace

void bench_holders(Table& table, Host& host, const Size& size, int runs) {
  holders_in_a_folder(table, host, size, runs);
  holders_of_this_kernel(table, host, size, runs);
}

void holders_as_they_grow(Table& table, Host& host, int runs) {
  const auto nodes = observe::card_nodes(host);
  for (const int processes : {1000, 2500, 5000, 10000}) {
    const Crowd crowd(processes, Size{}.descriptors);
    table.add({.what = fmt::format("all holders, {} processes", crowd.size()),
               .time = measure(runs, [&] { look_everywhere(host, nodes); }),
               .grows = "all holders, by processes",
               .with = crowd.size()});
    table.add({.what = "the limit: one statx(2) for each descriptor, and no more",
               .time = measure(runs, look_at_every_descriptor),
               .kind = Row::Kind::limit,
               .grows = "all holders, by processes",
               .with = crowd.size()});
  }
}

}  // namespace interlock::bench
