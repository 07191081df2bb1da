#include "catch.h"
#include "model/journal_text.h"

using namespace interlock;

namespace {

const JournalRecord kBegin{"begin", {{"name", "to-qwen38fn"}, {"boot_id", "b1"}}};
const JournalRecord kIntent{"intent", {{"step", 1}}};
const JournalRecord kOutcome{"outcome", {{"step", 1}, {"done", true}}};
const JournalRecord kEnd{"end", {{"result", "done"}}};

std::string text_of(const std::vector<JournalRecord>& records) {
  std::string text;
  for (const JournalRecord& record : records) text += journal_line(record);
  return text;
}

}  // namespace

TEST_CASE("a journal is read back record for record") {
  const JournalReading reading = parse_journal("id", text_of({kBegin, kIntent, kOutcome, kEnd}));
  REQUIRE(reading.records.size() == 4);
  CHECK(reading.id == "id");
  CHECK(reading.name() == "to-qwen38fn");
  CHECK(reading.ended());
  CHECK_FALSE(reading.torn);
  CHECK(reading.damage.empty());
  CHECK(reading.records[1].kind == "intent");
  CHECK(reading.records[1].body == kIntent.body);
}

TEST_CASE("a torn last record did not happen, wherever the power cut tore it (verification.md 3.8)") {
  const std::string whole = text_of({kBegin, kIntent});
  const std::string last = journal_line(kEnd);
  for (std::size_t length = 1; length < last.size(); ++length) {
    INFO("first " << length << " bytes of the end record");
    const JournalReading reading = parse_journal("id", whole + last.substr(0, length));
    CHECK(reading.torn);
    CHECK_FALSE(reading.ended());
    CHECK(reading.records.size() == 2);
    CHECK(reading.damage.empty());
  }
}

TEST_CASE("a torn first record leaves a journal without a name") {
  const std::string text = journal_line(kBegin);
  const JournalReading reading = parse_journal("id", text.substr(0, text.size() / 2));
  CHECK(reading.torn);
  CHECK(reading.name().empty());
  CHECK_FALSE(parse_journal("id", "").torn);
}

TEST_CASE("damage in the middle is told apart from a torn end, and the records after it are kept") {
  std::string text = text_of({kBegin, kIntent, kOutcome});
  text[journal_line(kBegin).size() + 30] ^= 1;
  const JournalReading reading = parse_journal("id", text);
  CHECK_FALSE(reading.torn);
  CHECK(reading.damage == "record 2: its checksum does not match");
  REQUIRE(reading.records.size() == 2);
  CHECK(reading.records[1].kind == "outcome");
}

TEST_CASE("of a mangled journal what is whole is kept byte by byte, and nothing else") {
  const std::string whole = text_of({kBegin, kIntent});
  CHECK(whole_records(whole) == whole);
  CHECK(whole_records("") == "");
  const std::string last = journal_line(kEnd);
  for (std::size_t length = 1; length < last.size(); ++length) {
    INFO("first " << length << " bytes of the end record");
    CHECK(whole_records(whole + last.substr(0, length)) == whole);
  }
  std::string damaged = journal_line(kIntent);
  damaged[damaged.size() / 2] ^= 1;
  CHECK(whole_records(journal_line(kBegin) + damaged + last) == journal_line(kBegin) + last);
}

TEST_CASE("any single byte of a journal changed is noticed") {
  const std::string text = text_of({kBegin, kIntent, kOutcome});
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const int flip : {1, 2, 16, 32, 128}) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      INFO("byte " << at);
      const JournalReading reading = parse_journal("id", changed);
      CHECK((reading.torn || !reading.damage.empty()));
      CHECK(reading.records.size() < 3);
    }
  }
}

TEST_CASE("zeros where a record was being written are a torn record, not the end of a cutover") {
  const JournalReading reading = parse_journal("id", text_of({kBegin}) + std::string(64, '\0'));
  CHECK(reading.torn);
  CHECK(reading.records.size() == 1);
}

TEST_CASE("bytes that are no text do not keep a record from being written") {
  const JournalReading reading = parse_journal("id", journal_line({"outcome", {{"seen", "exit \xff\xfe"}}}));
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].kind == "outcome");
}

TEST_CASE("whether a cutover has ended is told the same by a look that reads no more than that") {
  const JournalRecord liar{"held", {{"why", R"(it said "kind":"end")"}, {"within", {{"kind", "end"}}}}};
  for (const std::string& whole : {text_of({kBegin, kIntent, liar, kEnd}), text_of({kEnd, kBegin}),
                                   text_of({liar}), std::string("\n"), std::string()}) {
    const auto same = [](const std::string& text) {
      INFO(text);
      CHECK(journal_has_ended(text) == parse_journal("id", text).ended());
    };
    same(whole);
    for (std::size_t length = 0; length < whole.size(); ++length) same(whole.substr(0, length));
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      same(changed);
    }
  }
}

TEST_CASE("an id names its cutover, dots and dashes and all") {
  CHECK(cutover_in_id("20261130T021407Z-to-qwen3.8_fn") == "to-qwen3.8_fn");
  CHECK(cutover_in_id("20261130T021407Z.001-to-qwen36") == "to-qwen36");
  CHECK(cutover_in_id("old").empty());
}
