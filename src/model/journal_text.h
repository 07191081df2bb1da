// A cutover's journal as text: JSON lines, each framed with its length and checksum. Shared by its writer
// (act) and by observe, which must know whether a cutover is open.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace interlock {

/// kinds: "begin" (name, policy text and digest, boot id, way back, plan), "intent" and "outcome" (of a
/// step), "replan" (a way back or forward, and why), "end" (result).
struct JournalRecord {
  std::string kind;
  nlohmann::json body;
};

struct JournalReading {
  std::string id;
  std::vector<JournalRecord> records;  // whole ones, in order
  bool torn = false;                   // the last record is not whole: it did not happen
  std::string damage;                  // a record before the last is damaged; empty when none is
  bool ended() const;
  std::string name() const;  // the cutover's, from "begin"; empty when even that is not whole
};

std::string journal_line(const JournalRecord& record);
JournalReading parse_journal(std::string id, std::string_view text);
/// The records that are whole, byte by byte as they stand, and nothing else.
std::string whole_records(std::string_view text);

/// What parse_journal() says of it, without reading what else is in it: every look at a host asks.
bool journal_has_ended(std::string_view text);
/// An id is "<time>-<cutover>".
std::string cutover_in_id(std::string_view id);

}  // namespace interlock
