#include "catch.h"
#include "cli/app.h"

using namespace interlock::cli;
using Words = std::vector<std::string>;

TEST_CASE("a cutover's name alone means `cutover NAME`") {
  const Words commands = {"status", "cutover", "plan"};
  const auto spelt = [&](Words words) { return with_cutover_spelt_out(std::move(words), commands); };
  CHECK(spelt({"to-qwen36", "--yes"}) == Words{"cutover", "to-qwen36", "--yes"});
  CHECK(spelt({"--root", "dir", "--json", "to-qwen36"}) ==
        Words{"--root", "dir", "--json", "cutover", "to-qwen36"});
  CHECK(spelt({"--root=dir", "to-qwen36"}) == Words{"--root=dir", "cutover", "to-qwen36"});
  CHECK(spelt({"plan", "to-qwen36"}) == Words{"plan", "to-qwen36"});
  CHECK(spelt({"--policy", "status"}) == Words{"--policy", "status"});
  CHECK(spelt({"--policy"}) == Words{"--policy"});
  CHECK(spelt({}) == Words{});
}

TEST_CASE("a usage error exits 2, and is one JSON object where that was asked for") {
  const Words line =
      GENERATE(Words{"--json"}, Words{"status", "--nonsense", "--json"}, Words{"--json", "plan"},
               Words{"--json", "policy"}, Words{"--json", "policy", "bogus"},
               Words{"--json", "recover", "--back", "--forward"},
               Words{"--json", "cutover", "x", "--on-failure", "panic"});
  const Request request = parse_command_line(line, "");
  CHECK_FALSE(request.action);
  CHECK(request.early.exit == exits::kUsage);
  CHECK(request.globals.json);
  REQUIRE(request.early.failures.size() == 1);
  CHECK_FALSE(request.early.failures[0].message.empty());
}

TEST_CASE("options that belong to every command may stand before or behind it") {
  const Words line = GENERATE(Words{"--json", "--policy", "p.yaml", "status"},
                              Words{"status", "--json", "--policy", "p.yaml"},
                              Words{"policy", "check", "--json", "--policy", "p.yaml"});
  const Request request = parse_command_line(line, "/mock/");
  CHECK(request.action);
  CHECK(request.globals.json);
  CHECK(request.globals.policy == "p.yaml");
  CHECK(request.globals.root == "/mock");
}

TEST_CASE("the root is --root, else GPU_INTERLOCK_ROOT, else the host itself") {
  CHECK(parse_command_line({"status"}, "").globals.root == "/");
  CHECK(parse_command_line({"status"}, "/mock").globals.root == "/mock");
  CHECK(parse_command_line({"--root", "other", "status"}, "/mock").globals.root == "other");
  CHECK(parse_command_line({"--root", "/", "status"}, "/mock").globals.root == "/");
}

TEST_CASE("help and version are not errors, and help is of the command that was named") {
  CHECK(parse_command_line({"--help"}, "").early.exit == exits::kDone);
  CHECK(parse_command_line({"--help"}, "").early.text.find("cutover") != std::string::npos);
  CHECK(parse_command_line({"cutover", "--help"}, "").early.text.find("--without-guard") !=
        std::string::npos);
  CHECK(parse_command_line({"--version"}, "").early.text.starts_with("gpu-interlock "));
}
