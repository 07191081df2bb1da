#include "guard_bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

namespace interlock::tests {
namespace {

namespace fs = std::filesystem;

}  // namespace

NotifySocket::NotifySocket() {
  std::string pattern = "/tmp/notify.XXXXXX";  // short: a socket's address holds 107 bytes
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
  path_ = pattern + "/socket";
  socket_ = Fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(path_, address.sun_path);
  if (::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("cannot bind " + path_);
  }
}

NotifySocket::~NotifySocket() {
  std::error_code ignored;
  fs::remove_all(fs::path(path_).parent_path(), ignored);
}

const std::string& NotifySocket::heard() {
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (got < 0) return heard_;
    heard_.append(buffer.data(), static_cast<std::size_t>(got)).append("\n");
  }
}

std::size_t NotifySocket::count(const std::string& word) {
  std::size_t found = 0;
  for (auto at = heard().find(word); at != std::string::npos; at = heard_.find(word, at + 1)) ++found;
  return found;
}

std::unique_ptr<Running> GuardBench::start(Words environment) {
  environment.insert(environment.begin(), "/usr/bin/env");
  environment.push_back(std::string(BINARY_DIR) + "/gpu-interlockd");
  environment.insert(environment.end(), {"--root", host.root()});
  return std::make_unique<Running>(environment, folder_ + "/guard.log");
}

std::unique_ptr<Running> GuardBench::start_and_wait(Words environment) {
  const std::string path = "/run/gpu-interlock/guard.json";
  host.remove(path);
  auto running = start(std::move(environment));
  const bool up = eventually([&] { return running->ended() || fs::exists(host.path(path)); });
  if (!up || running->ended()) throw std::runtime_error("the guard did not come up:\n" + log());
  return running;
}

std::string GuardBench::log() const {
  return content_of(folder_ + "/guard.log");
}

nlohmann::json GuardBench::report() const {
  return nlohmann::json::parse(host.read("/run/gpu-interlock/guard.json"));
}

std::string GuardBench::state(const std::string& card) const {
  return report().at("cards").at(card).at("state");
}

bool GuardBench::becomes(const std::string& card, const std::string& state, std::chrono::seconds limit) {
  return eventually([&] { return this->state(card) == state; }, limit);
}

std::optional<pid_t> GuardBench::reader(pid_t daemon, const std::string& pci) const {
  std::optional<pid_t> found;
  static_cast<void>(eventually([&] { return (found = reader_now(daemon, pci)).has_value(); }));
  return found;  // nothing: the caller says so
}

std::optional<pid_t> GuardBench::reader_now(pid_t daemon, const std::string& pci) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string command = content_of(entry.path() / "cmdline");
    if (command.find("gpu-interlock-reader") == std::string::npos || command.find(pci) == std::string::npos)
      continue;
    if (content_of(entry.path() / "status").find("PPid:\t" + std::to_string(daemon) + "\n") ==
        std::string::npos) {
      continue;
    }
    return static_cast<pid_t>(std::stol(name));
  }
  return std::nullopt;
}

bool GuardBench::frozen_anything() const {
  for (const auto& entry : fs::recursive_directory_iterator(host.path("/sys/fs/cgroup"))) {
    if (entry.path().filename() == "cgroup.freeze" && content_of(entry.path()).starts_with("1")) return true;
  }
  return false;
}

nlohmann::json GuardBench::holders(const std::string& card) const {
  return one_of(host.cli({"status"}).json().at("cards"), "id", card).at("holders");
}

}  // namespace interlock::tests
