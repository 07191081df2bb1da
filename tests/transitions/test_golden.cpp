// What becomes of named mishaps, whole: the commands, what was seen at each step, the end and its exit code,
// as golden/*.txt has them for a person to read (verification.md, section 3, item 6). An outcome that changes
// is seen even where every invariant holds. INTERLOCK_GOLDEN=write writes them anew.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "catch.h"
#include "play.h"

using namespace interlock;
using explore::Choice;

namespace {

const std::string kFolder = std::string(PROJECT_DIR) + "/tests/transitions/golden/";

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Named {
  std::string name;
  std::string cutover;
  std::vector<std::pair<std::string, std::string>> mishaps;  // operation, word
};

/// "name: cutover | operation => word | ..."
Named named(std::string_view line) {
  const auto colon = line.find(": ");
  REQUIRE(colon != std::string_view::npos);
  Named result{std::string(line.substr(0, colon)), {}, {}};
  const auto pieces = split(line.substr(colon + 2), '|');
  result.cutover = trimmed(pieces[0]);
  for (std::size_t at = 1; at < pieces.size(); ++at) {
    const auto arrow = pieces[at].find(" => ");
    REQUIRE(arrow != std::string_view::npos);
    result.mishaps.emplace_back(trimmed(pieces[at].substr(0, arrow)), trimmed(pieces[at].substr(arrow + 4)));
  }
  return result;
}

/// The choices, each at the first operation that reads so behind the one before: found by running it so far.
explore::Trace trace_of(const Named& wanted) {
  explore::Trace trace{wanted.cutover, {}};
  int behind = 0;
  for (const auto& [operation, word] : wanted.mishaps) {
    int index = 0;
    if (operation != "recovery") {
      const auto so_far = explore::play(explore::course_named(wanted.cutover), trace, explore::Tell::plain);
      const auto found = std::ranges::find_if(so_far.operations, [&](const auto& it) {
        return it.index > behind && it.text.contains(operation);
      });
      INFO(operation);
      REQUIRE(found != so_far.operations.end());
      index = behind = found->index;
    }
    const auto choice = Choice::parse(fmt::format("{}:{}", index, word));
    REQUIRE(choice);
    trace.choices.push_back(*choice);
  }
  return trace;
}

std::string told(const explore::Played& played) {
  std::string text = played.story;
  text += fmt::format("end: {}\n", played.judgement.end);
  text += fmt::format("exit: {}\n", act::exit_code(played.reports.back().result));
  for (const auto& breach : played.model.breaches)
    text += fmt::format("seen on the way: {} {}: {}\n", breach.invariant, breach.when, breach.text);
  return text;
}

}  // namespace

TEST_CASE("each named mishap comes to the outcome that is written down") {
  const char* mode = std::getenv("INTERLOCK_GOLDEN");  // NOLINT(concurrency-mt-unsafe): nothing sets it here
  const bool writes = mode != nullptr && std::string_view(mode) == "write";
  const std::string traces = file_text(kFolder + "traces.txt");
  int count = 0;
  for (const std::string_view line : lines_of(traces)) {
    if (line.empty() || line.starts_with('#')) continue;
    const Named wanted = named(line);
    INFO(wanted.name);
    const auto trace = trace_of(wanted);
    const auto played = explore::play(explore::course_named(wanted.cutover), trace, explore::Tell::plain);
    CHECK(played.judgement.wrong == "");
    const std::string text = std::string(line) + "\n\n" + told(played);
    const std::string path = kFolder + wanted.name + ".txt";
    if (writes) std::ofstream(path) << text;
    CHECK(text == file_text(path));
    ++count;
  }
  CHECK(count >= 60);
}
