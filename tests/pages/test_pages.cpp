// Manual, completions and docs/policy.md say what the code says: they are written from its own tables, and
// checked in.
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "base/text.h"
#include "catch.h"
#include "cli/outcome.h"
#include "cli/refusals.h"
#include "decide/finding_codes.h"
#include "pages.h"
#include "policy/load.h"

namespace pages = interlock::pages;
using namespace interlock;
using namespace interlock::pages;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// As roff writes it: with minus signs.
std::string in_manual(const std::string& option) {
  std::string text;
  for (const char c : option) text += c == '-' ? "\\-" : std::string(1, c);
  return text;
}

}  // namespace

TEST_CASE("every page that is written from the code is as the code says") {
  const bool write = std::getenv("WRITE_PAGES") != nullptr;
  for (const Page& page : all_pages()) {
    if (write) {
      std::ofstream(std::string(PROJECT_DIR "/") + page.path) << page.text;
      continue;
    }
    INFO(page.path
         << " is not what the code says any more: WRITE_PAGES=1 build/tests/test_pages writes it anew");
    CHECK((project_file(page.path) == page.text));
  }
}

TEST_CASE("the manual has every command and option, and each is described") {
  const std::string manual = project_file("man/gpu-interlock.1");
  const auto all = commands();
  CHECK(all.size() > 20);
  for (const pages::Command& command : all) {
    INFO(command.path);
    CHECK(has(manual, command.path.empty() ? "gpu-interlock" : ".SS \"" + command.path + "\"\n"));
    CHECK_FALSE(command.about.empty());
    for (const Option& option : command.options) {
      INFO(option.names.front());
      CHECK(has(manual, in_manual(option.names.front())));
      CHECK_FALSE(option.about.empty());
    }
    for (const Argument& argument : command.arguments) CHECK_FALSE(argument.about.empty());
  }
}

TEST_CASE("every command of the design is there (design, section 8)") {
  const auto all = commands();
  for (const char* path :
       {"status",      "audit",       "explain",       "plan",         "cutover",        "recover",
        "history",     "reset",       "shed",          "drill",        "sensors",        "policy check",
        "policy show", "policy init", "policy import", "ledger adopt", "ledger rebuild", "gate install",
        "gate remove", "gate status", "gate allow"}) {
    INFO(path);
    CHECK_NOTHROW(command(all, path));
  }
}

TEST_CASE("the manual has every exit code, finding and refusal") {
  const std::string manual = project_file("man/gpu-interlock.1");
  const std::string findings = project_file("man/gpu-interlock-findings.7");
  REQUIRE(cli::exits::meanings().size() == 8);
  int next = 0;
  for (const auto& [code, meaning] : cli::exits::meanings()) {
    CHECK(code == next++);
    CHECK(has(manual, ".TP\n\\fB" + std::to_string(code) + "\\fR\n"));
  }
  for (const auto& code : decide::finding_codes()) {
    INFO(code.code);
    CHECK(has(findings, ".SS \"" + std::string(code.code) + "\"\n"));
  }
  for (const auto& refusal : cli::refusals()) {
    INFO(refusal.code);
    CHECK(has(findings, in_manual(std::string(refusal.code))));
  }
}

TEST_CASE("the table of refusals has every code by which a cutover is refused, and no other") {
  std::set<std::string> given;
  const std::regex code(
      R"re((?:found\.push_back\(|unmet\.push_back\(|Unmet|^)\s*\{\s*"([a-z-]+)",|\badd\("([a-z-]+)",)re");
  for (const char* file :
       {"src/decide/permissives.cpp", "src/decide/permissives_cards.cpp", "src/act/permission.cpp",
        "src/act/prepare.cpp", "src/act/accept.cpp", "src/cli/planning.cpp"}) {
    const std::string text = project_file(file);
    for (auto at = std::sregex_iterator(text.begin(), text.end(), code); at != std::sregex_iterator(); ++at)
      given.insert((*at)[1].matched ? (*at)[1] : (*at)[2]);
  }
  std::set<std::string> known;
  for (const cli::Refusal& refusal : cli::refusals()) {
    CHECK(known.emplace(refusal.code).second);
    CHECK(refusal.meaning.ends_with('.'));
  }
  CHECK(given == known);
}

TEST_CASE("the policy's manual has every key") {
  const std::string manual = project_file("man/gpu-interlock.yaml.5");
  const auto keys = policy_keys();
  CHECK(keys.size() > 50);
  for (const Key& key : keys) {
    INFO(key.path);
    CHECK((has(manual, "\\fB" + in_manual(key.path) + "\\fR") || has(manual, ".SS \"" + key.path + "\"")));
  }
}

TEST_CASE("no cutover can be called like a command, which its name alone would then mean") {
  const auto all = commands();
  for (const std::string& name : all.front().commands) {
    INFO(name);
    const auto loaded = load_policy(
        "version: 1\ncards: { gpu1: { pci: \"0000:03:00.0\" } }\nguard: { channels: { junction: { warn: 95, "
        "trip: 102, "
        "resume: 85 } } }\ncontainers: { 120: {} }\ncutovers: { " +
            name + ": { 120: { state: running } } }\n",
        "p");
    REQUIRE_FALSE(loaded);
    CHECK(has(loaded.error().front().message, "has this name"));
  }
}

TEST_CASE("each completion has every command, option and word that stands for a name") {
  const auto all = commands();
  for (const char* file :
       {"completions/gpu-interlock", "completions/_gpu-interlock", "completions/gpu-interlock.fish"}) {
    const std::string text = project_file(file);
    const bool fish = has(file, "fish");
    INFO(file);
    for (const pages::Command& command : all) {
      INFO(command.path);
      for (const std::string& name : command.commands)
        CHECK(std::regex_search(text, std::regex("\\b" + name + "\\b")));
      for (const Option& option : command.options)
        CHECK(has(text, fish ? "-l " + option.names.front().substr(2) : option.names.front()));
      for (const Argument& argument : command.arguments) CHECK(has(text, names_of(argument.name)));
    }
    for (const char* kind : {"cards", "cutovers", "codes", "history", "containers"}) CHECK(has(text, kind));
  }
}

TEST_CASE("what stands in roff cannot become a request, and is read as it was written") {
  const std::string page = project_file("man/gpu-interlock-findings.7");
  for (const auto line : lines_of(page)) {
    if (!line.starts_with('.')) continue;
    const std::string request(line.substr(0, line.find(' ')));
    INFO(line);
    CHECK(std::set<std::string>{".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".BR", ".B", ".I", ".br"}
              .contains(request));
  }
}
