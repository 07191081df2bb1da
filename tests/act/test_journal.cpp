#include "act/journal.h"
#include "catch.h"
#include "mocks/mock_host.h"

using namespace interlock;
using namespace interlock::act;
using interlock::mocks::Fault;
using interlock::mocks::MockHost;

namespace {

const JournalRecord kBegin{"begin", {{"name", "to-x"}}};
const JournalRecord kIntent{"intent", {{"step", 1}}};
const JournalRecord kEnd{"end", {{"result", "done"}}};

mocks::Model empty_host() {
  mocks::Model model;
  model.folders = {"/var/lib", "/run"};
  return model;
}

}  // namespace

TEST_CASE("a journal's id is the time and the cutover's name; nothing is written before its first record") {
  MockHost host(empty_host());
  const auto journal = Journal::create(host, "to-qwen38fn");
  REQUIRE(journal.has_value());
  CHECK(journal->id().ends_with("Z-to-qwen38fn"));
  CHECK(journal->id().size() == std::string("20261130T021407Z-to-qwen38fn").size());
  CHECK(host.model().files.empty());
  CHECK(journal_ids(host)->empty());
}

TEST_CASE("ids stay unique and in order when the clock stands still or goes back") {
  MockHost host(empty_host());
  std::vector<std::string> made;
  for (int i = 0; i < 12; ++i) {
    if (i == 6) host.model().booted_at -= 86'400;
    auto journal = Journal::create(host, i % 2 == 0 ? "b" : "a");
    REQUIRE(journal.has_value());
    REQUIRE(journal->write(kBegin).has_value());
    made.push_back(journal->id());
  }
  CHECK(*journal_ids(host) == made);
}

TEST_CASE("a cutover's name cannot lead out of the journal's folder") {
  MockHost host(empty_host());
  CHECK_FALSE(Journal::create(host, "../../etc/passwd")->id().contains('/'));
}

TEST_CASE("what was written is read back, and the newest journal without an end is the open one") {
  MockHost host(empty_host());
  auto first = Journal::create(host, "one");
  REQUIRE(first->write(kBegin).has_value());
  REQUIRE(first->write(kEnd).has_value());
  CHECK_FALSE(open_journal(host)->has_value());
  auto second = Journal::create(host, "two");
  REQUIRE(second->write(kBegin).has_value());
  REQUIRE(second->write(kIntent).has_value());
  const auto open = open_journal(host);
  REQUIRE(open->has_value());
  CHECK((*open)->id == second->id());
  CHECK((*open)->records.size() == 2);
}

TEST_CASE(
    "a record that could not be written is an error, and the next one does not stick to its torn bytes") {
  MockHost host(empty_host());
  auto journal = Journal::create(host, "x");
  REQUIRE(journal->write(kBegin).has_value());
  bool torn = false;
  host.choose = [&](const mocks::Operation& it) {
    const bool now = !torn && it.kind == mocks::OperationKind::append_file;
    torn = torn || now;
    return Fault{now ? Fault::Kind::half : Fault::Kind::none, 0, false};
  };
  CHECK_FALSE(journal->write(kIntent).has_value());
  CHECK(read_journal(host, journal->id())->torn);
  CHECK(journal->write(kEnd).has_value());
  const auto reading = read_journal(host, journal->id());
  CHECK_FALSE(reading->torn);
  CHECK(reading->damage.empty());
  CHECK(reading->records.size() == 2);
  CHECK(reading->ended());
}

TEST_CASE("a run that goes on with a torn journal cuts the torn record away first (verification.md 3.8)") {
  MockHost host(empty_host());
  auto journal = Journal::create(host, "x");
  REQUIRE(journal->write(kBegin).has_value());
  const std::string path = journal_path(journal->id());
  host.poke(path, *host.peek(path) + journal_line(kIntent).substr(0, 20));
  Journal again = Journal::reopen(host, *read_journal(host, journal->id()));
  REQUIRE(again.write(kEnd).has_value());
  CHECK(*host.peek(path) == journal_line(kBegin) + journal_line(kEnd));
}

TEST_CASE("a full disk means no record, and says so") {
  MockHost host(empty_host());
  host.model().disk_full = true;
  auto journal = Journal::create(host, "x");
  REQUIRE(journal.has_value());
  const auto written = journal->write(kBegin);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().message.contains("No space left"));
  CHECK(journal->discard().has_value());
}
