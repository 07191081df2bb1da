// gpu-interlock-gate [--root DIR] VMID: runs before a container starts; exit 0 lets it start, anything else
// does not. It is hung into pve-container@.service, and into lxc's own pre-start hook, which adds words of
// its own behind the name: "120 lxc pre-start".
#include <getopt.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
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
      "/etc/pve or a card's driver hung?\n";
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

struct Arguments {
  std::string root = "/";
  std::string name;                     // as given: a container's number, if it is one
  std::vector<std::string> hook_words;  // what lxc adds behind it
};

std::optional<Arguments> parse_arguments(int count, char** values) {
  Arguments arguments;
  if (const char* root = std::getenv("GPU_INTERLOCK_ROOT"); root != nullptr && *root != '\0')
    arguments.root = root;
  const std::array<option, 2> known{{{"root", required_argument, nullptr, 'r'}, {nullptr, 0, nullptr, 0}}};
  for (int found = 0; (found = getopt_long(count, values, "", known.data(), nullptr)) != -1;) {
    if (found != 'r') return std::nullopt;
    arguments.root = optarg;
  }
  if (optind >= count) return std::nullopt;
  arguments.name = values[optind];
  arguments.hook_words.assign(values + optind + 1, values + count);
  return arguments;
}

}  // namespace

int main(int count, char** values) {
  const auto arguments = parse_arguments(count, values);
  if (!arguments) {
    std::cerr << "usage: gpu-interlock-gate [--root DIR] VMID\n";
    return kUsage;
  }
  static_cast<void>(std::signal(SIGALRM, give_up));  // fails only for a wrong number
  ::alarm(kLongest);
  return judge(arguments->root, arguments->name, arguments->hook_words);
}
