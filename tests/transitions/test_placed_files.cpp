// `files:` of a cutover: in their places before the unit starts, and given back as they were found (I5).
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "catch.h"
#include "policy/load.h"
#include "scene.h"

using namespace interlock;
using interlock::act::CutoverResult;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;
using interlock::mocks::Operation;

namespace {

const std::string kPath = "/etc/llamacpp-qwen38fn.env";
const std::string kNew = "MODEL=\"/models/qwen3.8-flash-next.gguf\"\nNGL=\"99\"\n";

/// The shipped policy, with a file for container 120 in to-qwen38fn.
Policy with_file(const std::string& path) {
  std::string text = scene::policy().text;
  const std::string before = "      requires:\n        - file: /etc/llamacpp-qwen38fn.env\n";
  const auto at = text.find(before);
  REQUIRE(at != std::string::npos);
  text.insert(at, fmt::format("      files:\n        - path: {}\n          content: "
                              "'MODEL=\"/models/qwen3.8-flash-next.gguf\"\n\n"
                              "            NGL=\"99\"\n\n            '\n          owner: root:llamacpp\n     "
                              "     mode: \"0640\"\n",
                              path));
  auto loaded = load_policy(text, "policy.yaml");
  if (!loaded) FAIL(loaded.error().front().text());
  return *std::move(loaded);
}

MockHost& with_stat(MockHost& host, const std::string& path) {
  host.model().container(120)->commands["stat -c %U:%G %a -- " + path] = {0, "root:llamacpp 640\n", ""};
  return host;
}

act::CutoverReport run(MockHost& host, const Policy& policy) {
  return act::cut_over(host, policy, "to-qwen38fn",
                       {.without_guard = true, .on_failure = act::OnFailure::rollback},
                       [](const act::StepReport&) {});
}

std::string file_in(const MockHost& host, const std::string& path) {
  const auto& files = host.model().container(120)->files;
  const auto found = files.find(path);
  return found == files.end() ? "(none)" : found->second;
}

}  // namespace

TEST_CASE(
    "a file is placed before the unit starts, whole, and stays when the cutover is done (two-v620 failure "
    "11)") {
  MockHost host(scene::start());
  const Policy policy = with_file(kPath);
  const auto report = run(with_stat(host, kPath), policy);
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::done);
  CHECK(file_in(host, kPath) == kNew);
  CHECK(file_in(host, kPath + ".gpu-interlock") == "(none)");
}

TEST_CASE("a file that a failed cutover placed is given back as it was; where there was none, none is left") {
  for (const std::string& path : {kPath, std::string("/etc/new.env")}) {
    MockHost host(scene::start());
    const std::string before = file_in(host, path);
    const Policy policy = with_file(path);
    host.choose = [](const Operation& it) {
      return Fault{
          it.text.contains("systemctl enable llamacpp-qwen38fn") ? Fault::Kind::no_effect : Fault::Kind::none,
          0, false};
    };
    const auto report = run(with_stat(host, path), policy);
    INFO(scene::text_of(report));
    CHECK(report.result == CutoverResult::rolled_back);
    CHECK(file_in(host, path) == before);
  }
}

TEST_CASE("an interrupted cutover knows from its journal what stood in the place of its file") {
  MockHost host(scene::start());
  const std::string before = file_in(host, kPath);
  const Policy policy = with_file(kPath);
  host.choose = [](const Operation& it) {
    return Fault{it.text.contains("systemctl enable") ? Fault::Kind::killed : Fault::Kind::none, 0, false};
  };
  CHECK_THROWS_AS(run(with_stat(host, kPath), policy), mocks::Killed);
  CHECK(file_in(host, kPath) == kNew);
  host.revive();
  host.choose = nullptr;
  const auto report = scene::recover(host);
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::done);
  CHECK(file_in(host, kPath) == before);
}

TEST_CASE("a file that was not placed although every command said so stops the cutover") {
  MockHost host(scene::start());
  const Policy policy = with_file(kPath);
  host.choose = [](const Operation& it) {
    return Fault{it.text.contains("-- mv ") ? Fault::Kind::no_effect : Fault::Kind::none, 0, false};
  };
  const auto report = run(with_stat(host, kPath), policy);
  INFO(scene::text_of(report));
  CHECK(report.result == CutoverResult::rolled_back);
}
