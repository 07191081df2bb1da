// Recovery believes the host, not the journal: from every prefix of a journal, its next record torn, on every
// host that the cutover passes through, not only on the one that its own run left (verification.md, section
// 3, item 8; /etc/pve may have lost its last writes, or the journal its last records).
#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "catch.h"
#include "position.h"
#include "walker.h"

using namespace interlock;
using explore::Node;
using explore::Place;

namespace {

struct Passage {
  std::vector<mocks::Model> hosts;  // each different one behind a change
  std::string path;                 // of the journal
  std::string journal;              // whole
};

Passage passage_of(const scene::Course& course) {
  Passage passage;
  mocks::MockHost host(course.from);
  scene::install_gate(host);
  std::set<std::uint64_t> seen;
  host.after = [&](const mocks::Operation& operation) {
    if (operation.kind == mocks::OperationKind::append_file) passage.path = operation.text;
    if (!operation.mutating || passage.path.empty()) return;
    mocks::Model model = host.model();
    model.files.erase(passage.path);
    std::erase_if(model.locks, [](const auto& lock) { return lock.second == "controller"; });
    if (seen.insert(explore::host_state(model)).second) passage.hosts.push_back(std::move(model));
  };
  REQUIRE(scene::run(host, course.name).result == act::CutoverResult::done);
  passage.journal = *host.peek(passage.path);
  return passage;
}

/// Every prefix that begins something and is not closed; and the same with the next record torn.
std::vector<std::string> prefixes_of(const std::string& journal) {
  std::vector<std::string> found;
  std::string text;
  for (const std::string_view line : lines_of(journal)) {
    if (!text.empty()) found.push_back(text + std::string(line.substr(0, line.size() / 2)));
    if (line.ends_with("\"kind\":\"end\"}")) break;
    text += std::string(line) + "\n";
    found.push_back(text);
  }
  return found;
}

}  // namespace

TEST_CASE("recovery gets back from every prefix of a journal on every host on the way") {
  for (const scene::Course& course : scene::gated_courses()) {
    const Passage passage = passage_of(course);
    const auto prefixes = prefixes_of(passage.journal);
    std::vector<Node> starts;
    explore::Walker walker(course, {.faults = 0, .actors = false});
    for (const mocks::Model& host : passage.hosts) {
      for (const std::string& prefix : prefixes) {
        Node start{host, {}};
        start.model.files[passage.path] = {prefix, 0600, start.model.next_version++};
        start.place.way = explore::Way::back;
        walker.recover(start);
      }
    }
    const auto& totals = walker.totals();
    WARN(fmt::format("{}: {} hosts, {} prefixes, {}", course.name, passage.hosts.size(), prefixes.size(),
                     totals.text()));
    for (const std::string& failure : totals.failures) FAIL_CHECK(failure);
    CHECK(totals.all() >= 1000);
    CHECK(totals.ends.size() == 1);
    CHECK(totals.ends.contains("back at the beginning"));
  }
}
