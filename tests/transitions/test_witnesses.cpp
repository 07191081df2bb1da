// Two witnesses of each release and each grant, and each of them lying alone: what did not happen is not
// called done (design, section 6). The table is also in docs/verification.md.
#include <fmt/format.h>

#include <cerrno>
#include <functional>

#include "base/text.h"
#include "catch.h"
#include "mocks/machine.h"
#include "scene.h"

using namespace interlock;
using interlock::act::CutoverResult;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;
using interlock::mocks::Operation;

namespace {

const std::string kSockets = "/proc/net/unix";

std::string without_lines(const std::string& text, std::string_view part) {
  std::string kept;
  for (const std::string_view line : lines_of(text)) {
    if (!line.contains(part)) kept += std::string(line) + "\n";
  }
  return kept;
}

/// What a reader of that path is told from now on, whatever is so.
void lie(MockHost& host, const std::string& path, const std::string& text) {
  host.model().overrides[path] = {0, text, false};
}

/// From the first operation that reads like `at`, `doing` has no effect although it says done, and `lying`
/// lies.
act::CutoverReport run_with(MockHost& host, std::string_view at, std::vector<std::string> nothing_done,
                            std::function<void(MockHost&)> lying) {
  bool begun = false;
  host.choose = [&host, at, nothing_done = std::move(nothing_done), lying = std::move(lying),
                 begun](const Operation& it) mutable {
    if (!begun && it.text.contains(at) && it.mutating) {
      begun = true;
      lying(host);
    }
    for (const std::string& part : nothing_done) {
      if (begun && it.mutating && it.text.contains(part)) return Fault{Fault::Kind::no_effect, 0, false};
    }
    return Fault{};
  };
  return scene::run(host, "to-qwen38fn");
}

bool has_done(const act::CutoverReport& report, StepKind kind, std::string_view container) {
  for (const act::StepReport& step : report.steps) {
    if (step.back || step.step.kind != kind || !step.done) continue;
    if (step.step.container && step.step.container->text() == container) return true;
  }
  return false;
}

void check_not_done(const MockHost& host, const act::CutoverReport& report, StepKind kind,
                    std::string_view container) {
  INFO(scene::text_of(report));
  CHECK_FALSE(has_done(report, kind, container));
  CHECK(report.result != CutoverResult::done);
  CHECK(scene::text_of(host.breaches()) == "");
}

}  // namespace

TEST_CASE("a stop: the monitor's socket lies and the processes do not; and the other way round") {
  MockHost host(scene::start());
  host.model().container(123)->obeys_shutdown = false;
  const std::vector<std::string> nothing{"pct shutdown 123", "pct stop 123"};
  SECTION("the socket is said to be gone") {
    const std::string sockets = *host.peek(kSockets);
    const auto report = run_with(host, "pct shutdown 123", nothing, [&](MockHost& it) {
      lie(it, kSockets, without_lines(sockets, "/lxc/123/command"));
    });
    check_not_done(host, report, StepKind::stop_container, "123");
    CHECK(report.error.contains("processes of it are left"));
  }
  SECTION("its processes are said to be gone") {
    const auto report = run_with(host, "pct shutdown 123", nothing, [&](MockHost& it) {
      lie(it, "/sys/fs/cgroup/lxc/123/cgroup.events", "populated 0\nfrozen 0\n");
    });
    check_not_done(host, report, StepKind::stop_container, "123");
    CHECK(report.error.contains("it still runs"));
  }
}

TEST_CASE("a release: the configuration lies and what it starts with does not; and the other way round") {
  MockHost host(scene::start());
  const std::string path = host.model().config_path(123);
  const std::vector<std::string> nothing{"/etc/pve/lxc/123.conf"};
  SECTION("the configuration is said not to bind the card") {
    const auto report = run_with(host, "/etc/pve/lxc/123.conf", nothing, [&](MockHost& it) {
      lie(it, path, without_lines(*it.model().config(123), "0000:83:00.0"));
    });
    check_not_done(host, report, StepKind::release_cards, "123");
    CHECK(report.error.contains("what it starts with"));
  }
  SECTION("what it starts with is said not to have the card") {
    const auto report = run_with(host, "/etc/pve/lxc/123.conf", nothing, [&](MockHost& it) {
      const std::string generated = mocks::generated_path(123);
      lie(it, generated, without_lines(it.model().files.at(generated).text, "0000:83:00.0"));
    });
    check_not_done(host, report, StepKind::release_cards, "123");
    CHECK(report.error.contains("its configuration still binds gpu2"));
  }
}

TEST_CASE("a grant: the configuration lies and what it starts with does not; and the other way round") {
  MockHost host(scene::start());
  const std::string path = host.model().config_path(120);
  const std::string lines =
      "lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-render dev/dri/renderD128 none "
      "bind,optional,create=file\n"
      "lxc.mount.entry: /dev/dri/by-path/pci-0000:83:00.0-card dev/dri/card2 none "
      "bind,optional,create=file\n";
  const std::vector<std::string> nothing{"/etc/pve/lxc/120.conf"};
  SECTION("the configuration is said to bind the card") {
    const auto report = run_with(host, "/etc/pve/lxc/120.conf", nothing,
                                 [&](MockHost& it) { lie(it, path, *it.model().config(120) + lines); });
    check_not_done(host, report, StepKind::start_container, "120");
    CHECK(report.error.contains("detected modified configuration"));  // its digest is a third
  }
  SECTION("what it starts with is said to have the card") {
    const auto report = run_with(host, "/etc/pve/lxc/120.conf", nothing, [&](MockHost& it) {
      const std::string generated = mocks::generated_path(120);
      std::string text = it.model().files.at(generated).text;
      for (const std::string_view line : lines_of(lines)) {
        const auto colon = line.find(": ");
        text += fmt::format("{} = {}\n", line.substr(0, colon), line.substr(colon + 2));
      }
      lie(it, generated, text);
    });
    check_not_done(host, report, StepKind::bind_cards, "120");
  }
}

TEST_CASE("a free card: no process is said to have it and its memory tells; and the other way round (S01)") {
  MockHost host(scene::start());
  SECTION("the process is said to have nothing open") {
    const auto report = run_with(host, "pct shutdown 123", {}, [](MockHost& it) {
      const int pid = it.machine().run_by_hand(0, "llama-bench", 2048 * kMiB, 50).pid;
      for (const char* folder : {"fd", "fdinfo"}) {
        it.model().overrides[fmt::format("/proc/{}/{}", pid, folder)] = {ENOENT, {}, false};
      }
    });
    check_not_done(host, report, StepKind::release_cards, "123");
    CHECK(report.error.contains("of its memory are in use"));
  }
  SECTION("the memory is said to be free") {
    const auto report = run_with(host, "pct shutdown 123", {}, [](MockHost& it) {
      static_cast<void>(it.machine().run_by_hand(0, "llama-bench", 2048 * kMiB, 50));
      for (const char* device : {"pci0000:00/0000:03:00.0", "pci0000:00/0000:83:00.0"}) {
        lie(it, fmt::format("/sys/devices/{}/mem_info_vram_used", device), "25165824\n");
      }
    });
    check_not_done(host, report, StepKind::release_cards, "123");
    CHECK(report.error.contains("it is held by llama-bench"));
  }
}

TEST_CASE(
    "a start: pct says done and the socket is not there; the socket lies and its systemd does not answer") {
  MockHost host(scene::start());
  const std::vector<std::string> nothing{"pct start 120"};
  SECTION("pct says done") {
    const auto report = run_with(host, "pct start 120", nothing, [](MockHost&) {});
    check_not_done(host, report, StepKind::start_container, "120");
  }
  SECTION("the socket is said to be there") {
    const std::string sockets = *host.peek(kSockets);
    const auto report =
        run_with(host, "pct start 120", nothing, [&](MockHost& it) { lie(it, kSockets, sockets); });
    check_not_done(host, report, StepKind::start_container, "120");
  }
}

TEST_CASE("the ledger is read back: a write that only says done is no change of owner") {
  MockHost host(scene::start());
  const auto report =
      run_with(host, "/var/lib/gpu-interlock/ledger", {"/var/lib/gpu-interlock/ledger"}, [](MockHost&) {});
  INFO(scene::text_of(report));
  CHECK(report.result != CutoverResult::done);
  CHECK(report.steps.size() >= 1);
  CHECK_FALSE(report.steps.front().done);
  CHECK(scene::text_of(host.breaches()) == "");
}

TEST_CASE("a container whose configuration was put back while it ran keeps what it was started with (I1)") {
  MockHost host(scene::start());
  host.choose = [](const Operation& it) {
    const bool sweeps =
        it.content.contains("\"kind\":\"intent\"") && it.content.contains("\"kind\":\"sweep\"");
    return Fault{sweeps ? Fault::Kind::killed : Fault::Kind::none, 0, false};
  };
  CHECK_THROWS_AS(scene::run(host, "to-qwen38fn"), mocks::Killed);
  host.choose = nullptr;
  host.revive();
  // An editor writes what it had read before, and some `pct set` generates the other configuration from that.
  host.machine().store(host.model().config_path(120), *scene::start().config(120), 0640);
  host.machine().run_pct({"set", "120", "--onboot", "1"});
  host.machine().run_pct({"exec", "120", "--", "systemctl", "disable", "--now", "llamacpp-qwen38fn.service"});
  host.machine().pass(std::chrono::seconds(2));
  host.judge();
  const auto held = scene::recover(host);
  INFO(scene::text_of(held));
  CHECK(held.result == CutoverResult::held);
  CHECK(held.error.contains("container 120 runs with gpu2 since its start"));
  for (const mocks::Breach& breach : host.breaches()) CHECK_FALSE(breach.held);

  host.machine().run_pct({"stop", "120"});
  host.machine().pass(std::chrono::seconds(10));
  const auto report = scene::recover(host);
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::done);
  CHECK(scene::difference(scene::picture_of(host.model()), scene::picture_of(scene::start())) == "");
  for (const mocks::Breach& breach : host.breaches()) CHECK_FALSE(breach.held);
}
