#include <sstream>

#include "catch.h"
#include "cli/follow.h"
#include "tree.h"

using namespace interlock;

namespace {

/// A systemctl whose unit has run through by the second time it is asked.
constexpr const char* kSystemctl = R"(#!/bin/sh
cd "$(dirname "$0")/../../run/gpu-interlock" || exit 9
echo "$@" >> asked
if [ "$1" = start ]; then
  printf 'step 1\n' > cutover.out
elif [ ! -e once ]; then
  touch once
  printf 'ActiveState=activating\nJob=7\nExecMainStatus=0\nExecMainCode=0\n'
else
  printf 'step 2\nthe end\n' >> cutover.out
  printf 'why it came back\n' > cutover.err
  printf 'ActiveState=failed\nJob=\nExecMainStatus=4\nExecMainCode=1\n'
fi
)";

struct Followed {
  tests::Tree tree;
  std::ostringstream told;
  cli::Context context{.globals = {}, .host = tree.host()};
  Followed() {
    tree.script("/usr/bin/systemctl", kSystemctl).folder("/run/gpu-interlock");
    context.out = &told;
  }
};

}  // namespace

TEST_CASE("a cutover that runs as a unit is told as it goes, and ends with the unit's own exit code") {
  Followed followed;
  const auto outcome = cli::run_and_follow(followed.context, "to-qwen36", {"--on-failure", "hold"});
  CHECK(outcome.exit == 4);
  CHECK(followed.told.str() + outcome.text == "step 1\nstep 2\nthe end\n");
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0].message == "why it came back");
  CHECK(followed.tree.read("/run/gpu-interlock/cutover.options") ==
        "GPU_INTERLOCK_OPTIONS=--on-failure hold --progress\n");
  CHECK(followed.tree.read("/run/gpu-interlock/asked")
            .starts_with("start --no-block -- gpu-interlock-cutover@to-qwen36.service\n"));
}

TEST_CASE("with --json the unit's object is what is printed, once it is whole") {
  Followed followed;
  followed.context.globals.json = true;
  followed.tree.script("/usr/bin/systemctl", R"(#!/bin/sh
cd "$(dirname "$0")/../../run/gpu-interlock" || exit 9
echo '{"schema": 1, "exit": 3, "result": "refused"}' > cutover.out
printf 'ActiveState=inactive\nJob=\nExecMainStatus=3\nExecMainCode=1\n'
)");
  const auto outcome = cli::run_and_follow(followed.context, "to-qwen36", {});
  CHECK(outcome.exit == 3);
  CHECK(outcome.json.at("result") == "refused");
}

TEST_CASE("a unit that cannot be started is an error, and one that was killed names recover") {
  Followed followed;
  SECTION("not started") {
    followed.tree.script("/usr/bin/systemctl", "#!/bin/sh\necho 'Unit not found.' >&2\nexit 5\n");
    const auto outcome = cli::run_and_follow(followed.context, "to-qwen36", {});
    CHECK(outcome.exit == cli::exits::kUnreadable);
    CHECK(outcome.failures.at(0).message.find("Unit not found.") != std::string::npos);
  }
  SECTION("killed") {
    followed.tree.script(
        "/usr/bin/systemctl",
        "#!/bin/sh\nprintf 'ActiveState=failed\\nJob=\\nExecMainStatus=9\\nExecMainCode=2\\n'\n");
    const auto outcome = cli::run_and_follow(followed.context, "to-qwen36", {});
    CHECK(outcome.failures.at(0).message.find("gpu-interlock recover") != std::string::npos);
  }
}
