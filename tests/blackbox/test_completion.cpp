// Completion as a shell asks for it: bash is there; zsh and fish are, where somebody installed them.
#include <algorithm>

#include "blackbox.h"
#include "catch.h"

using namespace interlock::tests;

namespace {

const std::string kScript = PROJECT_DIR "/completions/gpu-interlock";

/// What bash offers for the last of `words`, our programs first in its PATH.
Words offered(const Words& words) {
  std::string line = "PATH=" BINARY_DIR ":$PATH; source " + kScript + "; COMP_WORDS=(";
  for (const std::string& word : words) line += "'" + word + "' ";
  line += "); COMP_CWORD=" + std::to_string(words.size() - 1) +
          "; _gpu_interlock gpu-interlock; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const Ran ran = run({"/bin/bash", "-c", line});
  INFO(ran.err);
  CHECK(ran.err.empty());
  Words found;
  std::string::size_type at = 0;
  for (auto end = ran.out.find('\n'); end != std::string::npos; at = end + 1, end = ran.out.find('\n', at)) {
    if (end > at) found.push_back(ran.out.substr(at, end - at));
  }
  return found;
}

bool offers(const Words& words, const std::string& wanted) {
  const Words found = offered(words);
  return std::ranges::find(found, wanted) != found.end();
}

bool is_there(const std::string& shell) {
  return run({"/bin/sh", "-c", "command -v " + shell}).exit == 0;
}

}  // namespace

TEST_CASE("bash completes commands, options, and the names that the policy of this host has") {
  const MockedHost host;
  const Words program = {"gpu-interlock", "--root", host.root()};
  const auto after = [&](const Words& more) {
    Words words = program;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  CHECK(offered({"gpu-interlock", "sta"}) == Words{"status"});
  CHECK(offered({"gpu-interlock", "policy", "i"}) == Words{"init", "import"});
  CHECK(offered({"gpu-interlock", "cutover", "x", "--without"}) == Words{"--without-guard"});
  CHECK(offered({"gpu-interlock", "cutover", "--on-failure", "h"}) == Words{"hold"});
  CHECK(offered({"gpu-interlock", "explain", "card-double"}) == Words{"card-double-bound"});
  CHECK(offered(after({"cutover", "to-"})) == Words{"to-qwen36", "to-qwen38fn"});
  CHECK(offered(after({"plan", ""})) == Words{"to-qwen36", "to-qwen38fn"});
  CHECK(offered(after({"to-qwen3"})) == Words{"to-qwen36", "to-qwen38fn"});  // its name alone is a command
  CHECK(offered(after({"to-qwen36", "--y"})) == Words{"--yes"});
  CHECK(offered(after({"reset", "gpu"})) == Words{"gpu1", "gpu2"});
  CHECK(offered(after({"reset", "gpu1", ""})).empty());
  CHECK(offered(after({"ledger", "adopt", "gpu1", "gpu"})) == Words{"gpu1", "gpu2"});
  CHECK(offered(after({"gate", "allow", "12"})) == Words{"120", "123"});
  CHECK(offers({"gpu-interlock", "--policy", PROJECT_DIR "/policies/two"},
               PROJECT_DIR "/policies/two-v620.yaml"));
  CHECK(offers({"gpu-interlock", "--root", "=", host.root()}, host.root()));  // as readline splits --root=DIR
}

TEST_CASE("where the policy cannot be read, completion offers no names and complains of nothing") {
  const MockedHost host;
  host.write("/etc/gpu-interlock/policy.yaml", "version: [\n");
  CHECK(offered({"gpu-interlock", "--root", host.root(), "cutover", ""}).empty());
  CHECK(offered({"gpu-interlock", "--root", host.root(), "sens"}) == Words{"sensors"});
  const Ran ran = host.text({"names", "cards"});
  CHECK(ran.exit == 0);
  CHECK(ran.out.empty());
  CHECK(ran.err.empty());
}

TEST_CASE("zsh and fish take their completions, where they are installed") {
  const MockedHost host;
  if (is_there("zsh"))
    CHECK(run({"/bin/sh", "-c", "zsh -n " PROJECT_DIR "/completions/_gpu-interlock"}).exit == 0);
  else
    WARN("zsh is not installed: its completion is not checked");
  if (!is_there("fish")) {
    WARN("fish is not installed: its completion is not checked");
    return;
  }
  const auto fish = [&](const std::string& line) {
    return run({"/bin/sh", "-c",
                "PATH=" BINARY_DIR ":$PATH HOME=" + host.root() +
                    " fish --no-config -c 'source " PROJECT_DIR
                    "/completions/gpu-interlock.fish; complete -C \"" +
                    line + "\"'"})
        .out;
  };
  CHECK(fish("gpu-interlock sta").starts_with("status\t"));
  CHECK(fish("gpu-interlock --root " + host.root() + " reset gpu").starts_with("gpu1\t"));
  CHECK(fish("gpu-interlock --root " + host.root() + " to-qwen36 --y").starts_with("--yes\t"));
  CHECK(fish("gpu-interlock policy ch").starts_with("check\t"));
}
