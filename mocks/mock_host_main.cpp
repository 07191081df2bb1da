// mock-host: makes and pokes a mocked Proxmox host in a folder. Called as pct or systemctl it is that host's
// own.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "base/text.h"
#include "mocks/fault.h"
#include "mocks/program.h"

namespace {

using namespace interlock;
using namespace interlock::mocks;

/// The host's folder: named by the caller, or where this program lies in it.
std::string root_of(const std::string& called_as) {
  if (const char* named = std::getenv("GPU_INTERLOCK_ROOT")) return named;
  std::error_code error;
  const auto place = std::filesystem::absolute(called_as, error).lexically_normal();
  return place.parent_path().parent_path().parent_path().string();  // DIR/usr/sbin/pct
}

std::string own_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
}

int answer(const Result<void>& result) {
  if (result) return 0;
  std::cerr << "mock-host: " << result.error().message << '\n';
  return 1;
}

/// Opens the host, does something to it, and shows the outcome.
int with_host(const std::string& root, const std::function<Result<void>(Folder&)>& body) {
  auto folder = Folder::open(root);
  if (!folder) return answer(std::unexpected(folder.error()));
  auto done = body(**folder);
  if (!done) return answer(done);
  return answer((*folder)->close());
}

struct Arguments {
  std::string root;
  std::string card;
  std::string kind;
  std::vector<std::string> words;
  std::vector<std::string> degrees;
  int number = 0;
  int lost = 0;
  int vmid = 0;
  int memory_mib = 20000;
  int busy = 95;
  double seconds = 30;
  bool renumber = false;
  bool recover = false;
  MakeOptions make;
};

Result<void> heat(Folder& folder, const Arguments& given) {
  TRY(set_thing(folder, {"card", given.card, "junction", given.degrees.front()}));
  if (given.degrees.size() > 1) TRY(set_thing(folder, {"card", given.card, "memory", given.degrees[1]}));
  return {};
}

Result<void> plan_fault(Folder& folder, const Arguments& given) {
  const auto kind = fault_kind(given.kind);
  if (!kind) return fail("there is no fault '{}'", given.kind);
  folder.model.faults[calls_made(folder.model) + given.number] = given.kind;
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  if (name == "pct" || name == "systemctl") return run_program(root_of(argv[0]), name, words);

  Arguments given;
  int status = 0;
  CLI::App app("A mocked Proxmox VE host in a folder, for gpu-interlock --root DIR");
  app.require_subcommand(1);
  const auto command = [&](const char* verb, const char* help, const std::function<int()>& body) {
    CLI::App* sub = app.add_subcommand(verb, help);
    sub->add_option("dir", given.root, "the host's folder")->required();
    sub->callback([&status, body] { status = body(); });
    return sub;
  };

  given.make.programs = own_folder();
  CLI::App* make = command("make", "a new host: two cards, two model servers, both at work",
                           [&] { return answer(make_host(given.root, given.make)); });
  make->add_option("--settle", given.make.settle, "the policy's settle time, such as 300ms");
  make->add_flag("--real-pace", given.make.real_pace, "everything takes as long as it does");

  CLI::App* boot = command("boot", "power off and on", [&] {
    return with_host(given.root, [&](Folder& folder) {
      return folder.reboot({.lost_writes = given.lost, .renumber = given.renumber}, given.recover);
    });
  });
  boot->add_option("--lose", given.lost, "how many of the last writes below /etc/pve are lost, at most 3");
  boot->add_flag("--renumber", given.renumber, "the cards' node numbers change places");
  boot->add_flag("--recover", given.recover, "gpu-interlock recover --boot runs before the guests");

  CLI::App* set = command("set", "change one thing", [&] {
    return with_host(given.root, [&](Folder& folder) { return set_thing(folder, given.words); });
  });
  set->add_option("thing", given.words, "what, and its value")->required();
  set->footer(set_help());

  CLI::App* hot = command("heat", "set a card's temperatures", [&] {
    return with_host(given.root, [&](Folder& folder) { return heat(folder, given); });
  });
  hot->add_option("card", given.card)->required();
  hot->add_option("degrees", given.degrees, "junction, and memory")->required()->expected(1, 2);

  CLI::App* fault = command("fault", "make a coming pct call go wrong", [&] {
    return with_host(given.root, [&](Folder& folder) { return plan_fault(folder, given); });
  });
  fault->add_option("n", given.number, "which one from now; 1 is the next")
      ->required()
      ->check(CLI::PositiveNumber);
  fault
      ->add_option("kind", given.kind,
                   "fail, fail-after, no-effect, half, hang, hang-after, garbage, undone-later, killed, "
                   "killed-after, power-cut, power-cut-after")
      ->required();

  command("log", "each pct call, and each broken invariant", [&] {
    return with_host(given.root, [&](Folder& folder) -> Result<void> {
      std::cout << log_text(folder.model);
      return {};
    });
  });

  CLI::App* run = command("run", "a process started by hand, with every card that it can see", [&] {
    return with_host(given.root, [&](Folder& folder) -> Result<void> {
      const Bytes memory = static_cast<Bytes>(given.memory_mib) * kMiB;
      std::cout << folder.run_by_hand(given.vmid, given.words.front(), memory, given.busy).pid << '\n';
      return {};
    });
  });
  run->add_option("vmid", given.vmid, "the container; 0 is the host")->required();
  run->add_option("command", given.words, "its name, such as llama-bench")->required()->expected(1);
  run->add_option("--memory", given.memory_mib, "MiB of each card");
  run->add_option("--busy", given.busy, "percent of engine time");

  CLI::App* serving = command("serve", "act at once on cgroup.kill and cgroup.freeze", [&] {
    return answer(
        serve(given.root, std::chrono::milliseconds(static_cast<std::int64_t>(given.seconds * 1000))));
  });
  serving->add_option("--for", given.seconds, "seconds");

  CLI11_PARSE(app, argc, argv);
  return status;
}
