// A cutover whose own files have no room: no record means no step, and nothing is said to be so that is not
// (verification.md, section 3, item 9; section 4, "full disk").
#include <filesystem>
#include <memory>

#include "catch.h"
#include "cutover_bench.h"
#include "small_disk.h"

using namespace interlock::tests;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

const std::string kState = "/var/lib/gpu-interlock";

/// A host whose files have been written by Proxmox once, its state on a small disk.
struct Small {
  explicit Small(std::unique_ptr<CutoverBench> on, std::unique_ptr<SmallDisk> small)
      : held(std::move(on)), disk(std::move(small)) {
    REQUIRE(bench.cut_over("to-qwen38fn").exit == 0);
    far = bench.picture();
    REQUIRE(bench.cut_over("to-qwen36").exit == 0);
    near = bench.picture();
  }

  std::unique_ptr<CutoverBench> held;
  std::unique_ptr<SmallDisk> disk;  // gone before its folder is
  CutoverBench& bench = *held;
  std::string near;
  std::string far;
};

/// Nothing: this machine lets nobody mount a disk.
std::unique_ptr<Small> small_host() {
  auto bench = std::make_unique<CutoverBench>();
  const std::string folder = bench->host.path(kState);
  std::filesystem::create_directories(folder);
  std::unique_ptr<SmallDisk> disk;
  try {
    disk = std::make_unique<SmallDisk>(folder);
  } catch (const std::runtime_error& error) {
    WARN("LEFT OUT on this machine: " << error.what());
    return nullptr;
  }
  return std::make_unique<Small>(std::move(bench), std::move(disk));
}

}  // namespace

TEST_CASE("on a full disk a cutover does not begin: it names the file and says that no space is left") {
  const auto small = small_host();
  if (!small) return;
  small->disk->fill();
  const std::string log = small->bench.host.mock("log").out;
  const int ends = small->bench.records("end");
  const Ran ran = small->bench.cut_over("to-qwen38fn");
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 7);
  CHECK(ran.json().at("result") == "error");
  const std::string message = ran.json().at("error").at("message");
  CHECK(message.find("nothing was touched") != std::string::npos);
  CHECK(message.find(kState + "/cutovers/") != std::string::npos);
  CHECK(message.find("No space left on device") != std::string::npos);
  CHECK(small->bench.picture() == small->near);
  CHECK(small->bench.records("end") == ends);
  for (const std::string word : {"pct set", "pct start", "pct shutdown", "systemctl disable"})
    CHECK(small->bench.host.mock("log").out.substr(log.find("pct calls")).find(word) == std::string::npos);
  CHECK(small->bench.host.cli({"recover", "--status"}).json().at("cutover").is_null());

  small->disk->free();
  CHECK(small->bench.cut_over("to-qwen38fn").exit == 0);
  CHECK(small->bench.picture() == small->far);
}

TEST_CASE(
    "a disk that fills up on the way: done, back or held, as it says; with room again recover is home") {
  const auto small = small_host();
  if (!small) return;
  std::string ends;
  for (const int steps : {1, 3, 5, 7, 9, 11, 13, 15, 17, 19}) {
    INFO("full after the announcement of step " << steps);
    const auto running = small->bench.begin("to-qwen38fn");
    REQUIRE(eventually([&] { return running->ended() || small->bench.records("intent") >= steps; }));
    small->disk->fill();
    REQUIRE(eventually([&] { return running->ended(); }, 60s));
    const json said = small->bench.said();
    INFO(said.dump(2));
    const std::string result = said.at("result");
    ends += " " + result;
    CHECK((result == "done" || result == "rolled-back" || result == "held"));
    CHECK(running->end() == said.at("exit"));
    CHECK(small->bench.breaches() == "");
    CHECK(small->bench.records("intent") >= static_cast<int>(said.at("steps").size()));  // no record, no step
    if (result == "done") CHECK(small->bench.picture() == small->far);
    if (result == "rolled-back") CHECK(small->bench.picture() == small->near);
    CHECK(small->bench.result() == (result == "held" ? "open" : result));
    if (result == "held") {
      const std::string message = said.at("error").at("message");
      CHECK(message.find("No space left on device") != std::string::npos);
    }

    small->disk->free();
    const Ran recovered = small->bench.host.cli({"recover", "--yes"});
    INFO(recovered.out << recovered.err);
    CHECK(recovered.exit == 0);
    CHECK(small->bench.result() != "open");
    CHECK(small->bench.breaches() == "");
    if (small->bench.picture() == small->far) REQUIRE(small->bench.cut_over("to-qwen36").exit == 0);
    REQUIRE(small->bench.picture() == small->near);
  }
  WARN("with the disk full on the way:" << ends);
}
