// Policies damaged at random: whatever the bytes, load_policy() answers, and each error has its place in the
// file.
#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;

namespace {

std::string shipped_policy() {
  std::ifstream file(PROJECT_DIR "/policies/two-v620.yaml");
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// One to four small damages: a byte changed, removed or doubled, a piece moved, a word of YAML put in.
std::string damaged(std::string text, std::mt19937_64& random) {
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end == 0 ? 0 : end - 1)(random);
  };
  constexpr std::string_view kWords[] = {
      "{",  "}", "[",  "]", ": ",          "- ", "\n", "\t",    "&a ",  "*a",   "!x ", "? ", "|\n",
      "''", "~", "-1", "0", "99999999999", "\"", "#",  "---\n", "<<: ", "\xff", "%",   "@",  "`"};
  for (std::size_t left = 1 + below(4); left > 0; --left) {
    const std::size_t place = below(text.size());
    switch (below(5)) {
      case 0:
        text[place] = static_cast<char>(random() % 256);
        break;
      case 1:
        text.erase(place, 1 + below(30));
        break;
      case 2:
        text.insert(place, text.substr(below(text.size()), below(40)));
        break;
      case 3:
        text.insert(place, kWords[below(std::size(kWords))]);
        break;
      default:
        text.resize(place);
        break;
    }
    if (text.empty()) break;
  }
  return text;
}

}  // namespace

TEST_CASE("no damage to a policy makes it more than an error") {
  const std::vector<std::string> originals = {shipped_policy(), std::string(kSound)};
  std::mt19937_64 random(1);
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    const std::string text = damaged(originals[static_cast<std::size_t>(round) % originals.size()], random);
    const auto lines = static_cast<int>(std::ranges::count(text, '\n')) + 1;
    const auto policy = load_policy(text, "p");
    if (policy) {
      CHECK_FALSE(policy->cards.empty());
      continue;
    }
    ++refused;
    INFO("round " << round);
    CHECK_FALSE(policy.error().empty());
    for (const PolicyError& error : policy.error()) {
      INFO(error.text());
      CHECK(error.line >= 0);
      CHECK(error.line <= lines + 1);  // the end of the file stands after its last line
      CHECK((error.line == 0) == (error.column == 0));
      CHECK_FALSE(error.message.empty());
    }
  }
  CHECK(refused > 200);
}
