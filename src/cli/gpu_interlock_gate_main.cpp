// gpu-interlock-gate [--root DIR] VMID: runs before a container starts; exit 0 lets it start, anything else
// does not. It is hung into pve-container@.service, and into lxc's own pre-start hook, which adds words of
// its own behind the name: "120 lxc pre-start".
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/gate.h"
#include "host/linux_host.h"

namespace {

constexpr int kAllow = 0;
constexpr int kRefuse = 1;
constexpr int kUsage = 2;
constexpr unsigned kLongest = 5;  // seconds

void give_up(int /*signal*/) {
  constexpr std::string_view kSentence =
      "gpu-interlock-gate: no answer about this container's cards within 5 s, so it does not start. Is "
      "/etc/pve or a "
      "card's driver hung?\n";
  static_cast<void>(
      !::write(STDERR_FILENO, kSentence.data(), kSentence.size()));  // there is nobody else to tell
  ::_exit(kRefuse);
}

int judge(const std::string& root, const std::string& name, const std::vector<std::string>& hook_words) {
  using namespace interlock;
  const auto vmid = Vmid::parse(name);
  if (!vmid) {
    if (!hook_words.empty()) return kAllow;  // a container of plain lxc: none of Proxmox's
    std::cerr << "gpu-interlock-gate: " << printable(name) << " is no container number\n";
    return kUsage;
  }
  const auto host = make_linux_host(root);
  if (!host) {
    std::cerr << "gpu-interlock-gate: " << host.error().message << '\n';
    return kUsage;
  }
  const auto refusal = cli::pass_gate(**host, *vmid, hook_words.empty());
  for (const std::string& remark : refusal.remarks) std::cerr << "gpu-interlock-gate: " << remark << '\n';
  if (refusal.reasons.empty()) return kAllow;
  std::cerr << "gpu-interlock-gate: container " << vmid->text() << " must not start:\n";
  for (const std::string& reason : refusal.reasons) std::cerr << "  " << reason << ".\n";
  std::cerr
      << "  To start it once all the same, where no other container has the card: gpu-interlock gate allow "
      << vmid->text() << " --once --reason TEXT\n";
  return kRefuse;
}

}  // namespace

int main(int count, char** values) {
  CLI::App app{"Refuses the start of a container whose card belongs to another", "gpu-interlock-gate"};
  const char* given_root = std::getenv("GPU_INTERLOCK_ROOT");
  std::string root = given_root == nullptr || *given_root == '\0' ? "/" : given_root;
  std::string name;
  std::vector<std::string> hook_words;
  app.add_option("--root", root, "A folder that stands for the host")->type_name("DIR");
  app.add_option("VMID", name, "The container that is about to start")->required();
  app.add_option("HOOK", hook_words, "What lxc's hook adds");
  try {
    app.parse(count, values);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return kAllow;
  } catch (const CLI::ParseError& error) {
    std::cerr << "gpu-interlock-gate: " << error.what() << '\n';
    return kUsage;
  }
  static_cast<void>(std::signal(SIGALRM, give_up));  // fails only for a wrong number
  ::alarm(kLongest);
  return judge(root, name, hook_words);
}
