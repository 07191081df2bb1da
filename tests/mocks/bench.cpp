#include "bench.h"

#include <unistd.h>

#include <filesystem>

#include "catch.h"
#include "host/linux_host.h"
#include "mocks/folder.h"
#include "mocks/mock_host.h"
#include "mocks/program.h"
#include "mocks/two_v620.h"

namespace interlock::mocks {
namespace {

class MemoryBench final : public Bench {
 public:
  MemoryBench() : host_(start()) {}
  Host& host() override { return host_; }
  void poke(const std::function<void(Machine&)>& change) override {
    change(host_.machine());
    host_.judge();
  }

 private:
  static Model start() {
    Model model = two_v620_off();
    quicken(model);
    return started(std::move(model), std::chrono::seconds(5));
  }
  MockHost host_;
};

class FolderBench final : public Bench {
 public:
  FolderBench()
      : root_(std::filesystem::temp_directory_path() / ("mock-host-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(root_);
    const auto made = make_host(root_, {.settle = "300ms", .real_pace = false, .programs = BINARY_DIR});
    if (!made) FAIL(made.error().message);
    auto host = make_linux_host(root_);
    if (!host) FAIL(host.error().message);
    host_ = *std::move(host);
  }
  ~FolderBench() override { std::filesystem::remove_all(root_); }
  FolderBench(const FolderBench&) = delete;
  FolderBench& operator=(const FolderBench&) = delete;
  Host& host() override { return *host_; }
  void poke(const std::function<void(Machine&)>& change) override {
    auto folder = Folder::open(root_);
    if (!folder) FAIL(folder.error().message);
    change(**folder);
    const auto closed = (*folder)->close();
    if (!closed) FAIL(closed.error().message);
  }

 private:
  std::string root_;
  std::unique_ptr<Host> host_;
};

}  // namespace

CommandEnd Bench::pct(std::vector<std::string> words, Duration deadline) {
  words.insert(words.begin(), "/usr/sbin/pct");
  auto end = host().run({.argv = std::move(words), .input = {}, .deadline = deadline});
  if (!end) FAIL(end.error().message);
  return *std::move(end);
}

CommandEnd Bench::exec(int vmid, std::vector<std::string> argv, Duration deadline) {
  argv.insert(argv.begin(), {"exec", std::to_string(vmid), "--"});
  return pct(std::move(argv), deadline);
}

std::string Bench::read(const std::string& path) {
  auto text = host().read_file(path);
  if (!text) FAIL(text.error().message);
  return *std::move(text);
}

bool Bench::exists(const std::string& path) {
  return host().info(path, true).has_value();
}

std::string Bench::config(int vmid) {
  return read("/etc/pve/lxc/" + std::to_string(vmid) + ".conf");
}

void Bench::edit(int vmid, const std::function<std::string(std::string)>& change) {
  const auto written = host().replace_file("/etc/pve/lxc/" + std::to_string(vmid) + ".conf",
                                           change(config(vmid)), 0640, Durability::synced);
  if (!written) FAIL(written.error().message);
}

void Bench::control(const std::string& path, const std::string& value) {
  const auto written = host().write_control(path, value);
  if (!written) FAIL(written.error().message);
  poke([](Machine&) {});
}

bool Bench::runs(int vmid) {
  return read("/proc/net/unix").find("@/var/lib/lxc/" + std::to_string(vmid) + "/command\n") !=
         std::string::npos;
}

std::string Bench::unit(int vmid, const std::string& name, const std::string& property) {
  const std::string output = exec(vmid, {"systemctl", "show", "--property=" + property, "--", name}).output;
  const auto sign = output.find('=');
  REQUIRE(sign != std::string::npos);
  return output.substr(sign + 1, output.find('\n') - sign - 1);
}

bool Bench::eventually(const std::function<bool()>& seen) {
  const Instant end = host().now() + std::chrono::seconds(5);
  while (host().now() < end) {
    if (seen()) return true;
    host().wait(std::chrono::milliseconds(10));
    poke([](Machine&) {});
  }
  return false;
}

std::unique_ptr<Bench> make_bench(Form form) {
  if (form == Form::memory) return std::make_unique<MemoryBench>();
  return std::make_unique<FolderBench>();
}

}  // namespace interlock::mocks
